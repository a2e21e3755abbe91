import type { Selectable } from 'kysely';
import type { PasskeyTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';

export type PasskeyRow = Selectable<PasskeyTable>;

/** False: a user has this key already. */
export async function insertPasskey(query: Query, row: PasskeyRow): Promise<boolean> {
  const result = await query
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const findPasskey = (query: Query, credentialId: string): Promise<PasskeyRow | undefined> =>
  query.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();

/** Newest first. */
export const listPasskeys = (query: Query, userId: string): Promise<PasskeyRow[]> =>
  query
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** False: it was deleted, or another request has used this number. Devices that do not count always send 0. */
export async function usePasskey(
  query: Query,
  { id, counter, now }: { id: string; counter: number; now: number },
): Promise<boolean> {
  const result = await query
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Whose passkey; a user of null: of anyone in the account. */
export interface OwnedPasskey {
  accountId: string;
  userId: string | null;
  id: string;
}

/** False: there is no such passkey. */
export async function renamePasskey(query: Query, owned: OwnedPasskey, name: string): Promise<boolean> {
  let found = query
    .updateTable('passkeys')
    .set({ name })
    .where('account_id', '=', owned.accountId)
    .where('id', '=', owned.id);
  if (owned.userId !== null) found = found.where('user_id', '=', owned.userId);
  return (await found.executeTakeFirst()).numUpdatedRows > 0n;
}

/** False: there is no such passkey. */
export async function deletePasskey(query: Query, owned: OwnedPasskey): Promise<boolean> {
  let found = query
    .deleteFrom('passkeys')
    .where('account_id', '=', owned.accountId)
    .where('id', '=', owned.id);
  if (owned.userId !== null) found = found.where('user_id', '=', owned.userId);
  return (await found.executeTakeFirst()).numDeletedRows > 0n;
}

export const deletePasskeysOf = async (query: Query, userId: string): Promise<void> => {
  await query.deleteFrom('passkeys').where('user_id', '=', userId).execute();
};

/** Of several requests with the same challenge, on all servers together, one gets true. Also deletes expired ones. */
export async function takeChallenge(
  query: Query,
  { hash, expiresAt, now }: { hash: string; expiresAt: number; now: number },
): Promise<boolean> {
  await query.deleteFrom('used_challenges').where('expires_at', '<=', now).execute();
  const result = await query
    .insertInto('used_challenges')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
