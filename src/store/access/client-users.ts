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
