import type { Kind } from '../running.ts';

/** One thing to do on the engine, as data. Doing it twice is harmless. */
export type Step = Making | Tidying;

export type Making =
  | { do: 'make-network' }
  | { do: 'make-volume'; volume: string }
  | Create
  /** One that was made but not started, or that ended. */
  | { do: 'start'; container: string; kind: Kind; part: string }
  | { do: 'rename'; container: string; name: string }
  | { do: 'configure'; container: string; text: string };

export type Tidying =
  /** It gets so long to end by itself; 0: it is killed. */
  | { do: 'remove'; container: string; seconds: number }
  /** A replica that goes for good: its primary is to keep nothing for it any more. */
  | { do: 'remove-replica'; container: string; primary: string; slot: string }
  | { do: 'remove-volume'; volume: string }
  | { do: 'remove-network' };

export interface Create {
  do: 'create';
  kind: Kind;
  part: string;
  name: string;
  /** Not while the one before still has the data or the ports. */
  start: boolean;
  /** By listener port: where its predecessor was reached on the machine, so that its address stays. */
  hostPorts: Readonly<Record<number, number>>;
}
