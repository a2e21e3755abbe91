import { sql } from 'kysely';
import type { Query } from '../database/database.ts';
import type { AccessTokenRow } from './accounts.ts';
import { deleteSignInCodesOf } from './sign-in-codes.ts';

/** The same for all tokens of a session, which is one sign-in. */
export const signInHash = ({ session_hash, hash }: Pick<AccessTokenRow, 'session_hash' | 'hash'>): string =>
  session_hash ?? hash;

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

/** Ends a sign-in: the tokens of a session have the same id. False: the user has no such token. */
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

/** Deletes all tokens of a user except those of this sign-in, and unfinished sign-ins. Returns the number of sign-ins. */
export async function deleteTokensOfUserExcept(
  query: Query,
  { userId, keptHash, now }: { userId: string; keptHash: string | null; now: number },
): Promise<number> {
  const deleted = await query
    .deleteFrom('access_tokens')
    .where('kind', '=', 'user')
    .where('subject', '=', userId)
    .where(sql`coalesce(session_hash, hash)`, '!=', keptHash ?? '')
    .where('expires_at', '>', now)
    .returning(['session_hash', 'hash'])
    .execute();
  await deleteSignInCodesOf(query, userId);
  return new Set(deleted.map(signInHash)).size;
}

/** Records a use, unless another request or server has recorded one since `before`. */
export const recordTokenUse = async (
  query: Query,
  { hash, now, before }: { hash: string; now: number; before: number },
): Promise<void> => {
  await query
    .updateTable('access_tokens')
    .set({ last_used_at: now })
    .where('hash', '=', hash)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]))
    .execute();
};
