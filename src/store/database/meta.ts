import type { Query } from './database.ts';

export const readMeta = async (query: Query, key: string): Promise<string | undefined> =>
  (await query.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value;

/** True only for the caller that set it first. */
export async function setMetaOnce(query: Query, key: string, value: string): Promise<boolean> {
  const rows = await query
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .execute();
  return rows.length > 0;
}

export const writeMeta = async (query: Query, key: string, value: string): Promise<void> =>
  void (await query
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute());

/** Deletes it only if it still has this value. */
export const deleteMeta = async (query: Query, key: string, value: string): Promise<void> =>
  void (await query.deleteFrom('meta').where('key', '=', key).where('value', '=', value).execute());

/** The values of all keys that start with the prefix. */
export const listMeta = async (query: Query, prefix: string): Promise<string[]> => {
  const rows = await query.selectFrom('meta').select('value').where('key', 'like', `${prefix}%`).execute();
  return rows.map(({ value }) => value);
};
