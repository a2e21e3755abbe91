import type { Query } from '../database/database.ts';
import { inParts } from '../database/in-parts.ts';

/** While someone watches a stack, it is observed at least this often, so that changes made outside Almanac show. */
const watchedLookMs = 45_000;

/** Whether a stack that someone watches would be observed too late. */
export const isDueTooLate = ({ next_at: nextAt }: { next_at: number | null }, now: number): boolean =>
  nextAt !== null && nextAt > now + watchedLookMs;

/** Makes stacks that someone watches due soon. Others keep their time. */
export async function observeWatched(query: Query, ids: readonly string[], now: number): Promise<void> {
  const latest = now + watchedLookMs;
  for (const part of inParts(ids))
    await query
      .updateTable('stacks')
      .set({ next_at: latest })
      .where('id', 'in', part)
      .where('next_at', '>', latest)
      .execute();
}
