import type { ExpressionBuilder } from 'kysely';
import type { Query } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { deleteApiClient } from './api-clients.ts';

/** Something that gives access, and when it was made. */
export interface MadeAccess {
  id: string;
  name: string;
  createdAt: number;
}

type Dated = 'api_clients' | 'users' | 'roles' | 'personal_tokens' | 'passkeys';

const madeIn = (query: Query, table: Dated, { accountId, since }: AccessSince) =>
  query
    .selectFrom(table)
    .select(['id', 'created_at as createdAt'])
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .orderBy('id');

export interface AccessSince {
  accountId: string;
  since: number;
}

/** A renewed token of a session is younger than its sign-in. */
const signedInSince = (since: number) => (where: ExpressionBuilder<Tables, 'access_tokens'>) =>
  where.or([
    where('session_at', '>=', since),
    where.and([where('session_at', 'is', null), where('issued_at', '>=', since)]),
  ]);

export const recentClients = (query: Query, wanted: AccessSince): Promise<MadeAccess[]> =>
  madeIn(query, 'api_clients', wanted).select('label as name').execute();

export const recentUsers = (query: Query, wanted: AccessSince): Promise<MadeAccess[]> =>
  madeIn(query, 'users', wanted).select('username as name').execute();

export const recentRoles = (query: Query, wanted: AccessSince): Promise<MadeAccess[]> =>
  madeIn(query, 'roles', wanted).select('name').execute();

export const recentPersonalTokens = (query: Query, wanted: AccessSince): Promise<MadeAccess[]> =>
  madeIn(query, 'personal_tokens', wanted).select('name').execute();

export const recentPasskeys = (query: Query, wanted: AccessSince): Promise<MadeAccess[]> =>
  madeIn(query, 'passkeys', wanted).select('name').execute();

/** Of users, one row for each sign-in that has not ended. */
export const recentSignIns = (query: Query, { accountId, since }: AccessSince): Promise<MadeAccess[]> =>
  query
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.subject')
    .select((select) => [
      'access_tokens.id',
      'users.username as name',
      select.fn.min<number>('issued_at').as('createdAt'),
    ])
    .where('access_tokens.account_id', '=', accountId)
    .where('kind', '=', 'user')
    .where((where) => signedInSince(since)(where as ExpressionBuilder<Tables, 'access_tokens'>))
    .groupBy(['access_tokens.id', 'users.username'])
    .orderBy('createdAt', 'desc')
    .execute();

/** Returns how many were deleted. The sign-in with this hash stays. */
export async function deleteSignInsSince(
  query: Query,
  { accountId, since, keptHash }: AccessSince & { keptHash: string },
): Promise<number> {
  const { numDeletedRows } = await query
    .deleteFrom('access_tokens')
    .where('account_id', '=', accountId)
    .where('kind', '!=', 'stack')
    .where(signedInSince(since))
    .where('hash', '!=', keptHash)
    .where((where) => where.or([where('session_hash', 'is', null), where('session_hash', '!=', keptHash)]))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const deleteMade =
  (table: 'personal_tokens' | 'passkeys') =>
  async (query: Query, { accountId, since }: AccessSince): Promise<number> => {
    const { numDeletedRows } = await query
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .where('created_at', '>=', since)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  };

export const deletePersonalTokensSince = deleteMade('personal_tokens');

export const deletePasskeysSince = deleteMade('passkeys');

export async function deleteClientsSince(query: Query, wanted: AccessSince): Promise<number> {
  const clients = await recentClients(query, wanted);
  for (const { id } of clients) await deleteApiClient(query, { id, account_id: wanted.accountId });
  return clients.length;
}

/** All of the account: they live for minutes only. */
export async function deleteKeyLinksOf(query: Query, accountId: string): Promise<number> {
  const stacks = query.selectFrom('stacks').select('id').where('account_id', '=', accountId);
  const { numDeletedRows } = await query
    .deleteFrom('pem_links')
    .where('stack_id', 'in', stacks)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
