import type { Kind } from '../observed-stack.ts';

/** One operation on the engine, as data. Idempotent. */
export type Step = BuildStep | CleanupStep;

type BuildStep =
  | { do: 'make-network' }
  | { do: 'make-volume'; volume: string }
  /** Uses a kept volume again, with its data. */
  | { do: 'reuse-volume'; volume: string }
  /** Fills a new volume with the data of a kept one. */
  | { do: 'copy-volume'; volume: string; from: string }
  | Create
  /** A container that was created but not started, or that ended. */
  | { do: 'start'; container: string; kind: Kind; part: string }
  | { do: 'rename'; container: string; name: string }
  | { do: 'configure'; container: string; text: string };

export type CleanupStep =
  /** `seconds`: the stop timeout; 0: kill at once. */
  | { do: 'remove'; container: string; seconds: number }
  /** Also drops the replica's replication slot on its primary. */
  | { do: 'remove-replica'; container: string; primary: string; slot: string }
  /** Records that the volume is kept, for a time. */
  | { do: 'keep-volume'; volume: string }
  | { do: 'remove-volume'; volume: string }
  | { do: 'remove-network' };

export interface Create {
  do: 'create';
  kind: Kind;
  part: string;
  name: string;
  /** False while the previous container still holds the data or the ports. */
  start: boolean;
  /** Host ports of the previous container by listener port, so that the address stays the same. */
  hostPorts: Readonly<Record<number, number>>;
}
