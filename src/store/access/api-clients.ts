import type { ClientKind } from '../../model/client-kinds.ts';
import type { Query } from '../database/database.ts';
import type { ApiClientRow } from './accounts.ts';

export const listApiClients = (query: Query, accountId: string): Promise<ApiClientRow[]> =>
  query
    .selectFrom('api_clients')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const changeClientSecret = async (query: Query, id: string, secretHash: string): Promise<void> => {
  await query.updateTable('api_clients').set({ secret_hash: secretHash }).where('id', '=', id).execute();
};

/** Also detaches its roles, and deletes all tokens issued to it: they have the rights of the old kind. */
export async function setClientKind(query: Query, id: string, kind: ClientKind): Promise<void> {
  await query.deleteFrom('access_tokens').where('client_id', '=', id).execute();
  await query.deleteFrom('client_roles').where('client_id', '=', id).execute();
  await query.updateTable('api_clients').set({ kind }).where('id', '=', id).execute();
}

/** Also detaches its roles, and deletes all tokens issued to it, including tokens of users. */
export async function deleteApiClient(query: Query, id: string): Promise<void> {
  await query.deleteFrom('access_tokens').where('client_id', '=', id).execute();
  await query.deleteFrom('client_roles').where('client_id', '=', id).execute();
  await query.deleteFrom('client_users').where('client_id', '=', id).execute();
  await query.deleteFrom('api_clients').where('id', '=', id).execute();
}
