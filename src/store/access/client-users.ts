import type { Query } from '../database/database.ts';

/** Records that a user signed in through an API client. */
export const recordClientUser = async (
  query: Query,
  { clientId, userId, now }: { clientId: string; userId: string; now: number },
): Promise<void> => {
  await query
    .insertInto('client_users')
    .values({ client_id: clientId, user_id: userId, last_login_at: now })
    .onConflict((conflict) => conflict.columns(['client_id', 'user_id']).doUpdateSet({ last_login_at: now }))
    .execute();
};

const usersOfClients = (query: Query) =>
  query
    .selectFrom('client_users')
    .innerJoin('users', 'users.id', 'client_users.user_id')
    .innerJoin('api_clients', 'api_clients.id', 'client_users.client_id')
    .select(['client_users.client_id', 'api_clients.account_id', 'users.username', 'users.master'])
    .orderBy('users.master', 'desc')
    .orderBy('users.username');

type ClientUserRow = Awaited<ReturnType<ReturnType<typeof usersOfClients>['execute']>>[number];

export const listClientUsers = (query: Query, accountId: string): Promise<ClientUserRow[]> =>
  usersOfClients(query).where('api_clients.account_id', '=', accountId).execute();

/** Of all accounts. */
export const listUsersOfOwnerClients = (query: Query): Promise<ClientUserRow[]> =>
  usersOfClients(query).where('api_clients.kind', '=', 'owner').execute();
