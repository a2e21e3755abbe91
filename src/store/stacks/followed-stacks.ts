import type { Query } from '../database/database.ts';
import { inParts } from '../database/in-parts.ts';
import type { StackTable } from '../database/tables.ts';

/** What an event stream needs of its stack: whether there are new events, and what permissions depend on. */
export type FollowedStack = Pick<
  StackTable,
  'id' | 'account_id' | 'created_by' | 'vendor' | 'credential_id' | 'event_count' | 'next_at'
>;

/** One query for many stacks; unknown ids are absent. */
export async function listFollowedStacks(
  query: Query,
  ids: readonly string[],
): Promise<Map<string, FollowedStack>> {
  const stacks = new Map<string, FollowedStack>();
  for (const part of inParts(ids)) {
    const rows = await query
      .selectFrom('stacks')
      .select(['id', 'account_id', 'created_by', 'vendor', 'credential_id', 'event_count', 'next_at'])
      .where('id', 'in', part)
      .execute();
    for (const row of rows) stacks.set(row.id, row);
  }
  return stacks;
}

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
