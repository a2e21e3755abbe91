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
