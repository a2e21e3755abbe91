import type { Insertable, Selectable } from 'kysely';
import type { Query } from './database.ts';
import type { CredentialTable } from './tables.ts';

export type CredentialRow = Selectable<CredentialTable>;

export const findCredential = (
  query: Query,
  accountId: string,
  vendor: string,
  id: string,
): Promise<CredentialRow | undefined> =>
  query
    .selectFrom('credentials')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('vendor', '=', vendor)
    .where('id', '=', id)
    .executeTakeFirst();

export const saveCredential = async (query: Query, row: Insertable<CredentialTable>): Promise<void> => {
  const { driver, label, sealed_secret, updated_at } = row;
  await query
    .insertInto('credentials')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'vendor', 'id'])
        .doUpdateSet({ driver, label, sealed_secret, updated_at }),
    )
    .execute();
};
