import { Failure } from '../../basics/failure.ts';
import { callerAt } from '../../basics/net/caller-at.ts';
import type { Grant } from '../../model/client-kinds.ts';
import { newAccessToken, newTokenId } from '../../model/names.ts';
import {
  type AccessTokenRow,
  deleteAccessToken,
  deleteExpiredAccessTokens,
  findUserByLogin,
  insertAccessToken,
  type UserRow,
} from '../../store/access/accounts.ts';
import { recordClientUser } from '../../store/access/client-users.ts';
import { takePersonalToken } from '../../store/access/personal-tokens.ts';
import { recordLogin } from '../../store/access/users.ts';
import type { Query } from '../../store/database/database.ts';
import { changeAccess } from '../access/access-lock.ts';
import { digest } from '../access/secret-hash.ts';
import { refuseSuspended } from '../access/suspension.ts';
import { recordPersonalRevocation, recordRevocation, recordSignIn } from '../audit/sign-ins.ts';
import type { Service } from '../service.ts';
import { type NamedUser, passwordMatches } from './check-password.ts';
import { ambiguousLoginHint, findLogin } from './find-login.ts';
import {
  authenticateClient,
  type ClientRequest,
  type OAuthClient,
  refuseChangedClient,
  refuseGrantOf,
  required,
} from './oauth-client.ts';
import { originOf, type TokenCaller, type TokenOrigin } from './token-origin.ts';

export const tokenLifetimeSeconds = 43_200;

export interface TokenRequest extends ClientRequest, TokenCaller {
  version: 'v2' | 'v3';
  grantType?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  otp?: string | undefined;
}

export interface IssuedToken {
  token_type: 'Bearer';
  expires_in: number;
  access_token: string;
}

export const tokenReply = (token: string): IssuedToken => ({
  token_type: 'Bearer',
  expires_in: tokenLifetimeSeconds,
  access_token: token,
});

const wrongUser = (hint = '') =>
  new Failure('invalid_grant', `The username is unknown or the password is wrong${hint}`);

async function loginThrough(query: Query, client: OAuthClient, username: string): Promise<NamedUser> {
  if (client.kind === 'public') return findLogin(query, username);
  const { accountId } = client;
  return { accountId, username, user: await findUserByLogin(query, accountId, username) };
}

async function authenticateUser(
  service: Service,
  client: OAuthClient,
  request: TokenRequest,
): Promise<UserRow> {
  const username = required(request.username, 'username');
  const password = required(request.password, 'password');
  const login = await loginThrough(service.database.query, client, username);
  const proof = { address: request.address, otp: request.otp || null };
  const matches = await passwordMatches(service, { ...login, ...proof }, password);
  if (!login.user || !matches) throw wrongUser(client.kind === 'public' ? `. ${ambiguousLoginHint}` : '');
  return login.user;
}

function readGrant(service: Service, request: TokenRequest): Grant {
  const grant = required(request.grantType, 'grant_type');
  const passwordAllowed = request.version === 'v3' || service.settings.passwordGrantOnV2;
  if (grant === 'client_credentials' || (grant === 'password' && passwordAllowed)) return grant;
  const offered = passwordAllowed ? 'client_credentials or password' : 'client_credentials';
  throw new Failure('unsupported_grant_type', `grant_type must be ${offered} on /${request.version}`);
}

/** Checks again inside the transaction: the client or user may have been changed while its secret was checked. */
async function refuseChanged(query: Query, { client, user }: SignIn, now: number): Promise<void> {
  await refuseChangedClient(query, client);
  if (user && !(await recordLogin(query, user, now))) throw wrongUser();
}

/** Issues a token that is valid on every server and across restarts. */
export async function issueToken(service: Service, request: TokenRequest): Promise<IssuedToken> {
  const grant = readGrant(service, request);
  if (grant === 'password') service.hashing.refuseIfFull(callerAt(request.address));
  const client = await authenticateClient(service, request);
  refuseGrantOf(client, grant);
  const user = grant === 'password' ? await authenticateUser(service, client, request) : null;
  const token = newAccessToken();
  const origin = originOf(grant, request);
  await saveTokenFor(service, token, { client, user, origin });
  return tokenReply(token);
}

export interface NewToken {
  token: string;
  now: number;
  row: Pick<AccessTokenRow, 'account_id' | 'kind' | 'subject' | 'client_id' | 'client_kind'> &
    TokenOrigin &
    Partial<Pick<AccessTokenRow, 'id' | 'session_hash' | 'session_at' | 'expires_at'>>;
}

/** Stores the digest of a token, and deletes expired tokens. Refuses a suspended account, except to agents. */
export async function storeToken(query: Query, { token, now, row }: NewToken): Promise<void> {
  if (row.client_kind !== 'agent') await refuseSuspended(query, row.account_id);
  await deleteExpiredAccessTokens(query, now);
  await insertAccessToken(query, {
    id: newTokenId(),
    expires_at: now + tokenLifetimeSeconds * 1000,
    ...row,
    hash: digest(token),
    issued_at: now,
  });
}

/** Stores the token and records the sign-in. */
export async function saveToken(service: Service, query: Query, saved: NewToken): Promise<void> {
  await storeToken(query, saved);
  await recordSignIn(service, query, saved.row);
}

interface SignIn {
  client: OAuthClient;
  /** Null: the client signs in for itself. */
  user: UserRow | null;
  origin: TokenOrigin;
}

async function saveTokenFor(service: Service, token: string, signIn: SignIn): Promise<void> {
  const { client, user, origin } = signIn;
  const now = service.clock.now();
  const accountId = user?.account_id ?? client.accountId;
  const row = {
    account_id: accountId,
    kind: user ? 'user' : client.kind === 'stack' ? 'stack' : 'client',
    subject: user ? user.id : client.id,
    client_id: client.id,
    client_kind: client.clientKind,
    ...origin,
  } as const;
  const save = async (query: Query): Promise<void> => {
    await refuseChanged(query, signIn, now);
    await saveToken(service, query, { token, now, row });
    if (user && client.kind === 'client')
      await recordClientUser(query, { clientId: client.id, userId: user.id, now });
  };
  // There are many stacks, and their secret never changes: they need no lock.
  if (client.kind === 'stack') await service.database.transaction(save);
  else await changeAccess(service, accountId, save);
}

/** Who holds a personal access token may revoke it: it belongs to no client, and a leaked one should end fast. */
async function revokePersonal(
  service: Service,
  query: Query,
  { client, hash, address }: { client: OAuthClient; hash: string; address: string },
): Promise<void> {
  const token = await takePersonalToken(query, hash, client.kind === 'public' ? null : client.accountId);
  const by = { client_id: client.id, client_kind: client.clientKind };
  if (token) await recordPersonalRevocation(service, query, { token, client: by, address });
}

/** RFC 7009: the client authenticates; an unknown token, or one of another client, is not an error. */
export async function revokeToken(
  service: Service,
  request: TokenRequest,
  token: string | undefined,
): Promise<void> {
  const client = await authenticateClient(service, request);
  const hash = digest(required(token, 'token'));
  await service.database.transaction(async (query) => {
    const deleted = await deleteAccessToken(query, hash, client.id);
    const { address } = request;
    if (deleted) await recordRevocation(service, query, { token: deleted, address });
    else await revokePersonal(service, query, { client, hash, address });
  });
}
