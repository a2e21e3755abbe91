import type { Selectable } from 'kysely';
import type { AccountTable } from '../database/access-tables.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';

export type AccountRow = Selectable<AccountTable>;

const byId = prebuilt((query, { id }: { id: string }) =>
  query.selectFrom('accounts').selectAll().where('id', '=', id),
);

/** Also finds a deleted account. */
export const findAccount = (query: Query, id: string): Promise<AccountRow | undefined> =>
  byId.first(query, { id });

/** Oldest first, including deleted accounts. */
export const listAccounts = (query: Query): Promise<AccountRow[]> =>
  query.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();

/** Including deleted accounts. */
export const countAccounts = async (query: Query): Promise<number> => {
  const { count } = await query
    .selectFrom('accounts')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Accounts with this name that are not deleted. */
export const findAccountsNamed = (query: Query, name: string): Promise<AccountRow[]> =>
  query.selectFrom('accounts').selectAll().where('name', '=', name).where('deleted_at', 'is', null).execute();

export const changeAccount = async (
  query: Query,
  id: string,
  changes: Partial<Omit<AccountRow, 'id' | 'created_at'>>,
): Promise<void> => {
  await query.updateTable('accounts').set(changes).where('id', '=', id).execute();
};

/** The account of an unexpired access token or personal access token, whatever the state of the account. */
export function findAccountOfToken(query: Query, hash: string, now: number): Promise<AccountRow | undefined> {
  const accountIdIn = (table: 'access_tokens' | 'personal_tokens') =>
    query.selectFrom(table).select('account_id').where('hash', '=', hash).where('expires_at', '>', now);
  return query
    .selectFrom('accounts')
    .selectAll()
    .where((where) =>
      where.or([
        where('id', 'in', accountIdIn('access_tokens')),
        where('id', 'in', accountIdIn('personal_tokens')),
      ]),
    )
    .executeTakeFirst();
}
