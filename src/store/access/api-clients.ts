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

type ClientKey = Pick<ApiClientRow, 'id' | 'account_id'>;

/** Only of its account: older servers accepted ids that tokens of other accounts have too. */
async function deleteRightsOf(query: Query, { id, account_id }: ClientKey): Promise<void> {
  for (const table of ['access_tokens', 'client_roles'] as const)
    await query.deleteFrom(table).where('client_id', '=', id).where('account_id', '=', account_id).execute();
}

/** Also detaches its roles, and deletes all tokens issued to it: they have the rights of the old kind. */
export async function setClientKind(query: Query, client: ClientKey, kind: ClientKind): Promise<void> {
  await deleteRightsOf(query, client);
  await query.updateTable('api_clients').set({ kind }).where('id', '=', client.id).execute();
}

/** Also detaches its roles, and deletes all tokens issued to it, including tokens of users. */
export async function deleteApiClient(query: Query, client: ClientKey): Promise<void> {
  await deleteRightsOf(query, client);
  await query.deleteFrom('client_users').where('client_id', '=', client.id).execute();
  await query.deleteFrom('api_clients').where('id', '=', client.id).execute();
}
