import type { Insertable, Selectable } from 'kysely';
import type { RoleTable, UserRoleTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';

export type RoleRow = Selectable<RoleTable>;
export type UserRoleRow = Selectable<UserRoleTable>;

export const insertRole = async (query: Query, role: Insertable<RoleTable>): Promise<void> => {
  await query.insertInto('roles').values(role).execute();
};

/** For the built-in role: written when first needed, and again when its definition has changed. */
export const upsertRole = async (query: Query, role: Insertable<RoleTable>): Promise<void> => {
  const { name, scope } = role;
  await query
    .insertInto('roles')
    .values(role)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, scope }))
    .execute();
};

export const findRole = (query: Query, accountId: string, id: string): Promise<RoleRow | undefined> =>
  query
    .selectFrom('roles')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Oldest first. */
export const listRoles = (query: Query, accountId: string): Promise<RoleRow[]> =>
  query
    .selectFrom('roles')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** False: not found. */
export async function updateRole(
  query: Query,
  { accountId, id }: { accountId: string; id: string },
  changes: Pick<RoleRow, 'name' | 'scope' | 'updated_at'>,
): Promise<boolean> {
  const result = await query
    .updateTable('roles')
    .set(changes)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Also detaches it from all users and API clients. False: not found. */
export async function deleteRole(query: Query, accountId: string, id: string): Promise<boolean> {
  await query
    .deleteFrom('user_roles')
    .where('account_id', '=', accountId)
    .where('role_id', '=', id)
    .execute();
  await query
    .deleteFrom('client_roles')
    .where('account_id', '=', accountId)
    .where('role_id', '=', id)
    .execute();
  const result = await query
    .deleteFrom('roles')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export const readAccountCreatedAt = async (query: Query, accountId: string): Promise<number> =>
  (await query.selectFrom('accounts').where('id', '=', accountId).select('created_at').executeTakeFirst())
    ?.created_at ?? 0;
