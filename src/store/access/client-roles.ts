import type { ClientRoleTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';
import type { RoleRow } from './roles.ts';

export const listRolesOfClient = (query: Query, accountId: string, clientId: string): Promise<RoleRow[]> =>
  query
    .selectFrom('client_roles')
    .innerJoin('roles', 'roles.id', 'client_roles.role_id')
    .where('client_roles.account_id', '=', accountId)
    .where('client_roles.client_id', '=', clientId)
    .orderBy('client_roles.created_at')
    .orderBy('roles.id')
    .selectAll('roles')
    .execute();

/** Attachments of all clients of the account, oldest first. */
export const listClientRoles = (query: Query, accountId: string): Promise<ClientRoleTable[]> =>
  query
    .selectFrom('client_roles')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('role_id')
    .execute();

export const insertClientRole = async (query: Query, row: ClientRoleTable): Promise<void> => {
  await query
    .insertInto('client_roles')
    .values(row)
    .onConflict((conflict) => conflict.columns(['client_id', 'role_id']).doNothing())
    .execute();
};

/** False: the client does not have the role. */
export async function deleteClientRole(query: Query, clientId: string, roleId: string): Promise<boolean> {
  const result = await query
    .deleteFrom('client_roles')
    .where('client_id', '=', clientId)
    .where('role_id', '=', roleId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
