import type { Selectable } from 'kysely';
import type { AccountTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';

export type AccountRow = Selectable<AccountTable>;

/** Also finds a deleted account. */
export const findAccount = (query: Query, id: string): Promise<AccountRow | undefined> =>
  query.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();

/** Oldest first, including deleted accounts. */
export const listAccounts = (query: Query): Promise<AccountRow[]> =>
  query.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();

export const changeAccount = async (
  query: Query,
  id: string,
  changes: Partial<Omit<AccountRow, 'id' | 'created_at'>>,
): Promise<void> => {
  await query.updateTable('accounts').set(changes).where('id', '=', id).execute();
};

/** The account of an unexpired token, whatever the state of the account. */
export const findAccountOfToken = (
  query: Query,
  hash: string,
  now: number,
): Promise<AccountRow | undefined> =>
  query
    .selectFrom('access_tokens')
    .innerJoin('accounts', 'accounts.id', 'access_tokens.account_id')
    .selectAll('accounts')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
