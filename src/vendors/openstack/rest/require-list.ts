import { Unreachable } from '../../vendor.ts';

/** The list in an answer of Heat. An answer without it does not say that there is nothing. */
export function requireList<T>(rows: readonly T[] | undefined, member: string): readonly T[] {
  if (Array.isArray(rows)) return rows;
  throw new Unreachable(`Service orchestration answers without the list of ${member}`);
}
