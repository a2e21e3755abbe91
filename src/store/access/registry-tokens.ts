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

/** Keeps the tokens that a user used last, so that repeated logins neither fill the table nor end one that is in use. */
export async function trimRegistryTokens(query: Query, userId: string, kept: number): Promise<void> {
  const lastUsed = query
    .selectFrom('access_tokens')
    .select('hash')
    .where('subject', '=', userId)
    .where('grant_type', '=', registryGrant)
    .orderBy(({ fn }) => fn.coalesce('last_used_at', 'issued_at'), 'desc')
    .orderBy('hash')
    .limit(kept);
  await query
    .deleteFrom('access_tokens')
    .where('subject', '=', userId)
    .where('grant_type', '=', registryGrant)
    .where('hash', 'not in', lastUsed)
    .execute();
}

export async function deleteRegistryTokensOf(query: Query, userId: string): Promise<void> {
  await query
    .deleteFrom('access_tokens')
    .where('subject', '=', userId)
    .where('grant_type', '=', registryGrant)
    .execute();
}
