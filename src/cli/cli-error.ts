import { codeOf, type Ending } from './exit-codes.ts';

export interface CliErrorDetails {
  /** Indented below the message, a line each. */
  lines?: readonly string[];
  /** What to try, a line each; commands stand alone. */
  hints?: readonly string[];
  cause?: unknown;
}

/** Something the user is told in sentences: what happened, why, what to try. Anything else is our own mistake. */
export class CliError extends Error {
  readonly ending: Ending;
  readonly lines: readonly string[];
  readonly hints: readonly string[];

  constructor(ending: Ending, message: string, details: CliErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'Trouble';
    this.ending = ending;
    this.lines = details.lines ?? [];
    this.hints = details.hints ?? [];
  }

  /** What the program ends with. */
  get code(): number {
    return codeOf(this.ending);
  }
}

export const wrongUsage = (message: string, ...hints: string[]): CliError =>
  new CliError('usage', message, { hints });
