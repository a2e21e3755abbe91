import type { Selectable } from 'kysely';
import type { OpenIdIdentityTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';

export type OpenIdIdentityRow = Selectable<OpenIdIdentityTable>;
export type IdentityKey = Pick<OpenIdIdentityRow, 'account_id' | 'issuer' | 'subject'>;

export const findIdentity = (query: Query, key: IdentityKey): Promise<OpenIdIdentityRow | undefined> =>
  query
    .selectFrom('openid_identities')
    .selectAll()
    .where('account_id', '=', key.account_id)
    .where('issuer', '=', key.issuer)
    .where('subject', '=', key.subject)
    .executeTakeFirst();

export const findIdentityOf = (query: Query, userId: string): Promise<OpenIdIdentityRow | undefined> =>
  query.selectFrom('openid_identities').selectAll().where('user_id', '=', userId).executeTakeFirst();

export const insertIdentity = async (query: Query, row: OpenIdIdentityRow): Promise<void> => {
  await query.insertInto('openid_identities').values(row).execute();
};

/** False: the user has none. */
export async function deleteIdentityOf(query: Query, userId: string): Promise<boolean> {
  const result = await query.deleteFrom('openid_identities').where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
