import type { Insertable } from 'kysely';
import type { UserRoleTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';
import type { RoleRow, UserRoleRow } from './roles.ts';

const attached = (query: Query, accountId: string, userId: string) =>
  query
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .where('user_roles.account_id', '=', accountId)
    .where('user_roles.user_id', '=', userId)
    .orderBy('user_roles.created_at')
    .orderBy('user_roles.id');

export const listRolesOfUser = (query: Query, accountId: string, userId: string): Promise<RoleRow[]> =>
  attached(query, accountId, userId).selectAll('roles').execute();

export const listUserRoles = (
  query: Query,
  accountId: string,
  userId: string,
): Promise<(UserRoleRow & { scope: string })[]> =>
  attached(query, accountId, userId).selectAll('user_roles').select('roles.scope').execute();

export const findUserRole = (query: Query, accountId: string, id: string): Promise<UserRoleRow | undefined> =>
  query
    .selectFrom('user_roles')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns the id of the attachment. Attaching the same role again keeps the first attachment. */
export async function upsertUserRole(query: Query, row: Insertable<UserRoleTable>): Promise<string> {
  const { updated_at } = row;
  const attachment = await query
    .insertInto('user_roles')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'role_id']).doUpdateSet({ updated_at }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return attachment.id;
}

export const deleteUserRole = async (query: Query, id: string): Promise<void> => {
  await query.deleteFrom('user_roles').where('id', '=', id).execute();
};

export const deleteOtherUserRoles = async (query: Query, userId: string, keptId: string): Promise<void> => {
  await query.deleteFrom('user_roles').where('user_id', '=', userId).where('id', '!=', keptId).execute();
};
