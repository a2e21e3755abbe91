import type { Query } from '../database/database.ts';
import { type AccessTokenRow, registryGrant } from './accounts.ts';

/** A refresh token of the registry, whatever the state of its account. Not valid anywhere else. */
export const findRegistryToken = (
  query: Query,
  hash: string,
  now: number,
): Promise<AccessTokenRow | undefined> =>
  query
    .selectFrom('access_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('grant_type', '=', registryGrant)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Keeps the newest tokens of a user, so that repeated logins do not fill the table. */
export async function trimRegistryTokens(query: Query, userId: string, kept: number): Promise<void> {
  const newest = query
    .selectFrom('access_tokens')
    .select('hash')
    .where('subject', '=', userId)
    .where('grant_type', '=', registryGrant)
    .orderBy('issued_at', 'desc')
    .orderBy('hash')
    .limit(kept);
  await query
    .deleteFrom('access_tokens')
    .where('subject', '=', userId)
    .where('grant_type', '=', registryGrant)
    .where('hash', 'not in', newest)
    .execute();
}
