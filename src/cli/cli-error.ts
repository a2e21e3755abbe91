import { type ExitReason, exitCodeOf } from './exit-codes.ts';

export interface CliErrorDetails {
  /** Indented below the message, one per line. */
  lines?: readonly string[];
  /** Suggestions, one per line; a command is on its own line. */
  hints?: readonly string[];
  cause?: unknown;
}

/** An error with a message for the user: what happened, why, what to try. Any other error is a bug in alm. */
export class CliError extends Error {
  readonly exitReason: ExitReason;
  readonly lines: readonly string[];
  readonly hints: readonly string[];

  constructor(exitReason: ExitReason, message: string, details: CliErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'CliError';
    this.exitReason = exitReason;
    this.lines = details.lines ?? [];
    this.hints = details.hints ?? [];
  }

  /** The exit code of the process. */
  get code(): number {
    return exitCodeOf(this.exitReason);
  }
}

export const usageError = (message: string, ...hints: string[]): CliError =>
  new CliError('usage', message, { hints });
