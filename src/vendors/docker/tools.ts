import type { Clock } from '../../basics/clock.ts';
import type { Secret } from '../../basics/secret.ts';
import type { Engine } from '../../docker-engine/types.ts';
import type { Release } from '../data.ts';
import type { StackOnVendor } from '../vendor.ts';
import type { ImageRole } from './catalog.ts';
import type { DockerDocument } from './document.ts';
import type { Loads } from './loads.ts';

interface AgentBundle {
  bundle: Buffer;
  sha256: string;
}

export interface DockerTools {
  clock: Clock;
  /** Opens the engine behind a unix socket of this machine. */
  engineAt: (socketPath: string) => Engine;
  /** The engine's socket. */
  socketPath: string;
  /** The prefix of the images' names. */
  imagePrefix: string;
  /** The agent for instances; null: instances run without one and only accept ssh. */
  agent: () => Promise<AgentBundle | null>;
  /**
   * The socket on which this Almanac accepts agents' requests; null: agents use `serverUrl`. Every instance mounts its
   * directory, because a restart creates a new socket. The directory must contain nothing else.
   */
  serverSocket: string | null;
  serverUrl: () => string;
  /** The machine's address on which balancers are published. */
  publishAddress: string;
  /** How many days volumes are kept that no stack uses any more; 0: for ever. */
  keepDays: number;
  /** Accounts that may use the machine; `*`: all; empty: only the first account. */
  accounts?: readonly string[];
}

/** One engine, with a cache of its observed state. */
export interface Machine {
  tools: DockerTools;
  engine: Engine;
  socketPath: string;
  /** Containers that were ready once: their readiness check is not run again. */
  seenReady: Set<string>;
  /** When a container that is not ready was first observed. */
  notReadySince: Map<string, number>;
  loads: Loads;
}

/** The arguments of an apply. */
export interface DesiredStack {
  stack: StackOnVendor;
  document: DockerDocument;
  version: string;
  agentToken: Secret;
  databasePassword: Secret | undefined;
  releases: readonly Release[];
}

export const imageOf = ({ imagePrefix }: DockerTools, role: ImageRole): string => `${imagePrefix}${role}`;
