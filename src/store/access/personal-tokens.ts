import type { Insertable, Selectable } from 'kysely';
import type { PersonalTokenTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';

export type PersonalTokenRow = Selectable<PersonalTokenTable>;

export const insertPersonalToken = async (
  query: Query,
  token: Insertable<PersonalTokenTable>,
): Promise<void> => {
  await query.insertInto('personal_tokens').values(token).execute();
};

/** Not those of suspended accounts. */
export const findPersonalToken = (
  query: Query,
  hash: string,
  now: number,
): Promise<PersonalTokenRow | undefined> =>
  query
    .selectFrom('personal_tokens')
    .innerJoin('accounts', 'accounts.id', 'personal_tokens.account_id')
    .selectAll('personal_tokens')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();

/** Only valid ones, newest first. */
export const listPersonalTokens = (query: Query, userId: string, now: number): Promise<PersonalTokenRow[]> =>
  query
    .selectFrom('personal_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

export const notePersonalTokenUse = async (query: Query, hash: string, now: number): Promise<void> => {
  await query.updateTable('personal_tokens').set({ last_used_at: now }).where('hash', '=', hash).execute();
};

/** False: the account, or the user if one is named, has no such valid token. */
export async function deletePersonalToken(
  query: Query,
  { accountId, userId, id, now }: { accountId: string; userId: string | null; id: string; now: number },
): Promise<boolean> {
  let found = query
    .deleteFrom('personal_tokens')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('expires_at', '>', now);
  if (userId !== null) found = found.where('user_id', '=', userId);
  return (await found.executeTakeFirst()).numDeletedRows > 0n;
}

/** By its value, for any caller. Undefined: none exists, or it belongs to another account than the one named. */
export function takePersonalToken(
  query: Query,
  hash: string,
  accountId: string | null,
): Promise<PersonalTokenRow | undefined> {
  const found = query.deleteFrom('personal_tokens').where('hash', '=', hash).returningAll();
  return (accountId === null ? found : found.where('account_id', '=', accountId)).executeTakeFirst();
}

/** Returns their number. */
export async function deletePersonalTokensOf(query: Query, userId: string): Promise<number> {
  const result = await query.deleteFrom('personal_tokens').where('user_id', '=', userId).executeTakeFirst();
  return Number(result.numDeletedRows);
}

export const deleteExpiredPersonalTokens = async (query: Query, now: number): Promise<void> => {
  await query.deleteFrom('personal_tokens').where('expires_at', '<=', now).execute();
};
