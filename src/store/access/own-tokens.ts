import type { Query } from '../database/database.ts';
import type { AccessTokenRow } from './accounts.ts';

/** Only valid ones, newest first. */
export const listTokensOfUser = (query: Query, userId: string, now: number): Promise<AccessTokenRow[]> =>
  query
    .selectFrom('access_tokens')
    .selectAll()
    .where('kind', '=', 'user')
    .where('subject', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('issued_at', 'desc')
    .orderBy('id')
    .execute();

/** False: the user has no such token. */
export async function deleteTokenOfUser(
  query: Query,
  { userId, id, now }: { userId: string; id: string; now: number },
): Promise<boolean> {
  const result = await query
    .deleteFrom('access_tokens')
    .where('kind', '=', 'user')
    .where('subject', '=', userId)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
