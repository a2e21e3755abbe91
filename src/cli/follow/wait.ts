import type { Context } from '../command.ts';

export interface Awaited {
  stackId: string;
  /** What must be in force at the end; another version there means that somebody else's change took over. */
  versionId?: string | undefined;
}

/** Stays until what the stack goes through has ended, showing what happens; gives the exit code. */
export async function waitForStack(_context: Context, _awaited: Awaited): Promise<number> {
  throw new Error('not written yet');
}
