import type { Clock } from '../basics/clock.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The process and its surroundings: arguments, environment, streams, clock, signals. */
export interface System {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** How this program was started: full paths of Node and of alm. */
  readonly program: { readonly node: string; readonly script: string };
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** Writes to standard output, without opening its stream unless that is necessary. */
  write(data: string | Uint8Array): void;
  /** Whether standard output is a terminal. */
  readonly stdoutIsTty: boolean;
  readonly stderr: NodeJS.WriteStream;
  readonly clock: Clock;
  /** Calls back on Ctrl-C; returns a function that unsubscribes. Without subscribers, Ctrl-C ends the program. */
  onInterrupt(callback: () => void): () => void;
}
