import type { Query } from '../database/database.ts';

/** Engines limit the number of values in a statement. */
const maxIds = 500;

/** Which of these stacks the store knows, and whether they still exist. A stack exists in every state until it is deleted. */
export async function presenceOfStacks(
  query: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, 'exists' | 'deleted'>> {
  const found = new Map<string, 'exists' | 'deleted'>();
  for (let start = 0; start < ids.length; start += maxIds) {
    const rows = await query
      .selectFrom('stacks')
      .select(['id', 'deleted_at'])
      .where('id', 'in', ids.slice(start, start + maxIds))
      .execute();
    for (const { id, deleted_at: deletedAt } of rows)
      found.set(id, deletedAt === null ? 'exists' : 'deleted');
  }
  return found;
}
