import type { Query } from '../database/database.ts';
import type { AccessTokenRow } from './accounts.ts';

/** The newest valid token of a session. Not those of suspended accounts. */
export const findTokenOfSession = (
  query: Query,
  sessionHash: string,
  now: number,
): Promise<AccessTokenRow | undefined> =>
  query
    .selectFrom('access_tokens')
    .innerJoin('accounts', 'accounts.id', 'access_tokens.account_id')
    .selectAll('access_tokens')
    .where('session_hash', '=', sessionHash)
    .where('expires_at', '>', now)
    .where('suspended_at', 'is', null)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** False: the token does not exist any more. */
export const endTokenAt = async (query: Query, hash: string, expiresAt: number): Promise<boolean> => {
  const result = await query
    .updateTable('access_tokens')
    .set({ expires_at: expiresAt })
    .where('hash', '=', hash)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** A valid token of a user, also of a suspended account. */
export const findTokenToEnd = (
  query: Query,
  hash: string,
  now: number,
): Promise<(AccessTokenRow & { username: string }) | undefined> =>
  query
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.subject')
    .selectAll('access_tokens')
    .select('users.username')
    .where('kind', '=', 'user')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Deletes a token, and with it all others of its session. */
export const deleteSession = async (
  query: Query,
  { tokenHash, sessionHash }: { tokenHash: string; sessionHash: string | null },
): Promise<void> => {
  await query
    .deleteFrom('access_tokens')
    .where((where) =>
      where.or([
        where('hash', '=', tokenHash),
        ...(sessionHash === null ? [] : [where('session_hash', '=', sessionHash)]),
      ]),
    )
    .execute();
};

/** Notes that the user of a token has proved the password, for all tokens of its session. */
export const recordProof = async (
  query: Query,
  { tokenHash, sessionHash }: { tokenHash: string; sessionHash: string | null },
  now: number,
): Promise<void> => {
  await query
    .updateTable('access_tokens')
    .set({ proved_at: now })
    .where((where) =>
      where.or([
        where('hash', '=', tokenHash),
        ...(sessionHash === null ? [] : [where('session_hash', '=', sessionHash)]),
      ]),
    )
    .execute();
};
