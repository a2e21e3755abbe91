import type { Insertable, Selectable } from 'kysely';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Database, Query } from '../database/database.ts';
import { Remembered } from '../database/remembered.ts';
import type { CredentialTable } from '../database/tables.ts';
import type { StackRow } from '../stacks/stacks.ts';

export type CredentialRow = Selectable<CredentialTable>;

interface CredentialKey {
  accountId: string;
  vendor: string;
  id: string;
}

const byKey = prebuilt((query, { accountId, vendor, id }: CredentialKey) =>
  query
    .selectFrom('credentials')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('vendor', '=', vendor)
    .where('id', '=', id),
);

export const findCredential = (query: Query, key: CredentialKey): Promise<CredentialRow | undefined> =>
  byKey.first(query, key);

const remembered = new Remembered<CredentialRow | undefined>(['credentials'], { max: 1000 });

/** Outside of transactions: each pass over a stack asks for its credential. Callers share the row. */
export const recallCredential = (
  database: Database,
  key: CredentialKey,
): Promise<Readonly<CredentialRow> | undefined> =>
  remembered.read(database, JSON.stringify([key.accountId, key.vendor, key.id]), () =>
    findCredential(database.query, key),
  );

export const saveCredential = async (query: Query, row: Insertable<CredentialTable>): Promise<void> => {
  const { driver, label, sealed_secret, updated_at, role, auth_url } = row;
  await query
    .insertInto('credentials')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'vendor', 'id'])
        .doUpdateSet({ driver, label, sealed_secret, updated_at, role, auth_url }),
    )
    .execute();
};

/** Stores the cloud of a credential that has none yet. Returns the credential with the cloud that counts: the first one. */
export async function nameCloud(query: Query, row: CredentialRow, authUrl: string): Promise<CredentialRow> {
  const { account_id: accountId, vendor, id } = row;
  await query
    .updateTable('credentials')
    .set({ auth_url: authUrl })
    .where('account_id', '=', accountId)
    .where('vendor', '=', vendor)
    .where('id', '=', id)
    .where('auth_url', 'is', null)
    .execute();
  return (await findCredential(query, { accountId, vendor, id })) ?? row;
}

/** Ordered by vendor and id: the first one of a vendor is always the same. */
export const listCredentials = (query: Query, accountId: string, vendor?: string): Promise<CredentialRow[]> =>
  query
    .selectFrom('credentials')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(vendor !== undefined, (q) => q.where('vendor', '=', vendor as string))
    .orderBy('vendor')
    .orderBy('id')
    .execute();

/** False: not found. */
export async function deleteCredential(
  query: Query,
  { accountId, vendor, id }: CredentialKey,
): Promise<boolean> {
  const result = await query
    .deleteFrom('credentials')
    .where('account_id', '=', accountId)
    .where('vendor', '=', vendor)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Includes stacks that are being deleted: they still need the credential. Oldest first. */
export const listStacksUsing = (
  query: Query,
  { accountId, vendor, id }: CredentialKey,
): Promise<Pick<StackRow, 'id' | 'nickname' | 'created_by' | 'vendor' | 'credential_id'>[]> =>
  query
    .selectFrom('stacks')
    .select(['id', 'nickname', 'created_by', 'vendor', 'credential_id'])
    .where('account_id', '=', accountId)
    .where('vendor', '=', vendor)
    .where('credential_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
