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
