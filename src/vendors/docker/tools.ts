import type { Clock } from '../../basics/clock.ts';
import type { Secret } from '../../basics/secret.ts';
import type { Engine } from '../../docker-engine/types.ts';
import type { StackOnVendor } from '../vendor.ts';
import type { ImageRole } from './catalog.ts';
import type { DockerDocument } from './document.ts';

export interface AgentBundle {
  bundle: Buffer;
  sha256: string;
}

export interface DockerTools {
  clock: Clock;
  /** The engine behind a unix socket of this machine. */
  engineAt: (socketPath: string) => Engine;
  /** The socket of credentials that name none. */
  socketPath: string;
  /** What the names of the images begin with. */
  imagePrefix: string;
  /** What runs on instances; null: nothing, they are then servers to log in to. */
  agent: () => Promise<AgentBundle | null>;
  /**
   * The socket this Almanac takes agents' calls on; null: they call `serverUrl`. Its directory is bound into every instance,
   * because a restart makes a new socket: there must be nothing else in it.
   */
  serverSocket: string | null;
  serverUrl: () => string;
  /** The address of the machine that balancers are published on. */
  publishAddress: string;
  /** Accounts that may use the machine; `*`: all; empty: only the first account. */
  accounts?: readonly string[];
}

/** One engine, and what is known of it. */
export interface Machine {
  tools: DockerTools;
  engine: Engine;
  socketPath: string;
  /** Containers that were seen ready once, so that they are not asked again and again. */
  seenReady: Set<string>;
  /** When those that are awaited were first seen not ready. */
  notReadySince: Map<string, number>;
}

/** What an apply was given. */
export interface Wish {
  stack: StackOnVendor;
  document: DockerDocument;
  version: string;
  agentToken: Secret;
  databasePassword: Secret | undefined;
}

export const imageOf = ({ imagePrefix }: DockerTools, role: ImageRole): string => `${imagePrefix}${role}`;
