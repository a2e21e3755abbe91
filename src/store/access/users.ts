import type { Query } from '../database/database.ts';
import type { UserRow } from './accounts.ts';

/** The master first, then oldest first. */
export const listUsers = (query: Query, accountId: string): Promise<UserRow[]> =>
  query
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('master', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/**
 * False: the user is gone, or the password is no longer the one that was checked. Asked in the transaction that hands
 * out a token, so that nobody who checked the old password gets one after it was changed.
 */
export async function noteLogin(
  query: Query,
  user: Pick<UserRow, 'id' | 'password_hash'>,
  now: number,
): Promise<boolean> {
  const result = await query
    .updateTable('users')
    .set({ last_login_at: now })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** False: somebody else changed it since it was read, or the user is gone. */
export async function changePassword(
  query: Query,
  user: Pick<UserRow, 'id' | 'password_hash'>,
  passwordHash: string,
): Promise<boolean> {
  const result = await query
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** With the roles attached to it, which cannot outlive it. */
export async function deleteUser(query: Query, id: string): Promise<void> {
  await query.deleteFrom('user_roles').where('user_id', '=', id).execute();
  await query.deleteFrom('users').where('id', '=', id).execute();
}

export const handOverStacks = async (
  query: Query,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<void> => {
  await query
    .updateTable('stacks')
    .set({ created_by: to })
    .where('account_id', '=', accountId)
    .where('created_by', '=', from)
    .execute();
};
