import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';
import type { AccessTokenTable, AccountTable, ApiClientTable, UserTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { deleteSignInCodesOf } from './sign-in-codes.ts';

export type UserRow = Selectable<UserTable>;
export type ApiClientRow = Selectable<ApiClientTable>;
export type AccessTokenRow = Selectable<AccessTokenTable>;

export const insertAccount = async (query: Query, account: Insertable<AccountTable>): Promise<void> => {
  await query.insertInto('accounts').values(account).execute();
};

export const insertUser = async (query: Query, user: Insertable<UserTable>): Promise<void> => {
  await query.insertInto('users').values(user).execute();
};

export const insertApiClient = async (query: Query, client: Insertable<ApiClientTable>): Promise<void> => {
  await query.insertInto('api_clients').values(client).execute();
};

export const findApiClient = (query: Query, id: string): Promise<ApiClientRow | undefined> =>
  query.selectFrom('api_clients').selectAll().where('id', '=', id).executeTakeFirst();

export const findUserById = (query: Query, id: string): Promise<UserRow | undefined> =>
  query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

/** A user logs in by name; the master user also by e-mail address or as `root`, whatever its name. */
const hasLogin = (login: string) => (where: ExpressionBuilder<Tables, 'users'>) => {
  const master = where('master', '=', 1);
  const asMaster = login === 'root' ? master : where.and([master, where('email', '=', login)]);
  return where.or([where('username', '=', login), asMaster]);
};

export const findUserByLogin = (
  query: Query,
  accountId: string,
  login: string,
): Promise<UserRow | undefined> =>
  query
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(hasLogin(login))
    .executeTakeFirst();

/** Users with this login in any account, at most `limit`. */
export const findUsersByLogin = (query: Query, login: string, limit: number): Promise<UserRow[]> =>
  query.selectFrom('users').selectAll().where(hasLogin(login)).orderBy('created_at').limit(limit).execute();

export const insertAccessToken = async (query: Query, token: Insertable<AccessTokenTable>): Promise<void> => {
  await query.insertInto('access_tokens').values(token).execute();
};

/** The grant of tokens that are valid for the registry only. */
export const registryGrant = 'registry';

/** Only valid ones. A token of a suspended account is not, unless it belongs to agents: they keep running. */
export const findAccessToken = (
  query: Query,
  hash: string,
  now: number,
): Promise<AccessTokenRow | undefined> =>
  query
    .selectFrom('access_tokens')
    .innerJoin('accounts', 'accounts.id', 'access_tokens.account_id')
    .selectAll('access_tokens')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .where('grant_type', '!=', registryGrant)
    .where((where) => where.or([where('suspended_at', 'is', null), where('client_kind', '=', 'agent')]))
    .executeTakeFirst();

/** Only the client that the token was issued to can revoke it; anything else is ignored, as RFC 7009 requires. */
export const deleteAccessToken = (
  query: Query,
  hash: string,
  clientId: string,
): Promise<AccessTokenRow | undefined> =>
  query
    .deleteFrom('access_tokens')
    .where('hash', '=', hash)
    .where('client_id', '=', clientId)
    .returningAll()
    .executeTakeFirst();

/** Also ends unfinished sign-ins. */
export const deleteAccessTokensOf = async (query: Query, subject: string): Promise<void> => {
  await query.deleteFrom('access_tokens').where('subject', '=', subject).execute();
  await deleteSignInCodesOf(query, subject);
};

export const deleteExpiredAccessTokens = async (query: Query, now: number): Promise<void> => {
  await query.deleteFrom('access_tokens').where('expires_at', '<=', now).execute();
};
