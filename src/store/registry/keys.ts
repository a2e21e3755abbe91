import type { Selectable } from 'kysely';
import type { Query } from '../database/database.ts';
import type { RegistryKeyTable } from '../database/registry-tables.ts';

export type RegistryKeyRow = Selectable<RegistryKeyTable>;

/** Newest first. */
export const listRegistryKeys = (query: Query): Promise<RegistryKeyRow[]> =>
  query.selectFrom('registry_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();

/** False: there is already a key in this state, which only one key may have. */
export async function insertRegistryKey(query: Query, key: RegistryKeyRow): Promise<boolean> {
  const rows = await query
    .insertInto('registry_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** Makes the next key the current one. False: there is no next key. Call it in a transaction. */
export async function activateNextKey(query: Query): Promise<boolean> {
  const next = await query
    .selectFrom('registry_keys')
    .select('id')
    .where('state', '=', 'next')
    .executeTakeFirst();
  if (!next) return false;
  await query.updateTable('registry_keys').set({ state: 'old' }).where('state', '=', 'current').execute();
  await query.updateTable('registry_keys').set({ state: 'current' }).where('id', '=', next.id).execute();
  return true;
}

/** Returns their ids. */
export async function deleteOldKeys(query: Query): Promise<string[]> {
  const rows = await query.deleteFrom('registry_keys').where('state', '=', 'old').returning('id').execute();
  return rows.map(({ id }) => id);
}
