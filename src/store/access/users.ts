import type { Query } from '../database/database.ts';
import type { UserRow } from './accounts.ts';
import { deleteIdentityOf } from './openid-identities.ts';

/** The master user first, then oldest first. */
export const listUsers = (query: Query, accountId: string): Promise<UserRow[]> =>
  query
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('master', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

type CheckedUser = Pick<UserRow, 'id' | 'password_hash'>;

/** False: the user was deleted, or has another password than the one that was checked. */
async function updateChecked(
  query: Query,
  user: CheckedUser,
  changes: Partial<Pick<UserRow, 'last_login_at' | 'password_hash'>>,
): Promise<boolean> {
  const result = await query
    .updateTable('users')
    .set(changes)
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * False: the user was deleted, or the password changed since it was checked. Call it in the transaction that issues the
 * token: a login with the old password must not get a token after the change.
 */
export const recordLogin = (query: Query, user: CheckedUser, now: number): Promise<boolean> =>
  updateChecked(query, user, { last_login_at: now });

/** False: the user was deleted, or the password changed since it was read. */
export const changePassword = (query: Query, user: CheckedUser, passwordHash: string): Promise<boolean> =>
  updateChecked(query, user, { password_hash: passwordHash });

/** Also deletes the role attachments and the OpenID identity of the user. */
export async function deleteUser(query: Query, id: string): Promise<void> {
  await query.deleteFrom('user_roles').where('user_id', '=', id).execute();
  await query.deleteFrom('client_users').where('user_id', '=', id).execute();
  await deleteIdentityOf(query, id);
  await query.deleteFrom('users').where('id', '=', id).execute();
}

export const transferStacks = async (
  query: Query,
  accountId: string,
  { from, to, now }: { from: string; to: string; now: number },
): Promise<void> => {
  await query
    .updateTable('stacks')
    .set({ created_by: to, changed_at: now })
    .where('account_id', '=', accountId)
    .where('created_by', '=', from)
    .execute();
};
