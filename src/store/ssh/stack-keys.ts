import type { Selectable } from 'kysely';
import type { Query } from '../database/database.ts';
import type { StackKeyTable } from '../database/ssh-tables.ts';

export type StackKeyRow = Selectable<StackKeyTable>;

/** Keeps an existing pair: two servers that make one at the same time end up with the same. */
export async function insertStackKeys(query: Query, rows: readonly StackKeyRow[]): Promise<void> {
  if (rows.length === 0) return;
  await query
    .insertInto('stack_keys')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['stack_id', 'flag']).doNothing())
    .execute();
}

/** Public keys by flag. */
export async function readPublicKeys(query: Query, stackId: string): Promise<Map<string, string>> {
  const rows = await query
    .selectFrom('stack_keys')
    .select(['flag', 'public_key'])
    .where('stack_id', '=', stackId)
    .execute();
  return new Map(rows.map((row) => [row.flag, row.public_key]));
}

export async function findSealedKey(
  query: Query,
  stackId: string,
  flag: string,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('stack_keys')
    .select('sealed_key')
    .where('stack_id', '=', stackId)
    .where('flag', '=', flag)
    .executeTakeFirst();
  return row?.sealed_key;
}

/** For a deleted stack, whose servers are all gone. */
export const deleteStackKeysOf = async (query: Query, stackId: string): Promise<void> => {
  await query.deleteFrom('stack_keys').where('stack_id', '=', stackId).execute();
};
