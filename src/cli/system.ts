import type { Clock } from '../basics/clock.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the process around us is, in one place. */
export interface System {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** Writes to standard output, without opening its stream where that is not needed. */
  write(data: string | Uint8Array): void;
  /** Whether people read what is written. */
  readonly isSeen: boolean;
  readonly stderr: NodeJS.WriteStream;
  readonly clock: Clock;
  /** Calls back at Ctrl-C until told not to. While nobody listens, Ctrl-C ends the program. */
  onInterrupt(callback: () => void): () => void;
}
