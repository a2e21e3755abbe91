import { Failure } from '../../basics/failure.ts';
import { isStackId, newAccessToken, newTokenId } from '../../model/names.ts';
import {
  type AccessTokenRow,
  deleteAccessToken,
  deleteExpiredAccessTokens,
  findApiClient,
  findUserByLogin,
  insertAccessToken,
  type UserRow,
} from '../../store/access/accounts.ts';
import { recordLogin } from '../../store/access/users.ts';
import type { Query } from '../../store/database/database.ts';
import { findStackById } from '../../store/stacks/stacks.ts';
import { changeAccess } from '../access/access-lock.ts';
import { digest, equalTexts, matchesHash } from '../access/secret-hash.ts';
import { refuseSuspended } from '../access/suspension.ts';
import { type Service, sealedFor } from '../service.ts';
import { passwordMatches } from './check-password.ts';
import { checkThrottled } from './login-throttle.ts';
import { originOf, type TokenCaller, type TokenOrigin } from './token-origin.ts';

const tokenLifetimeSeconds = 43_200;

export interface TokenRequest extends TokenCaller {
  version: 'v2' | 'v3';
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  grantType?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
}

export interface IssuedToken {
  token_type: 'Bearer';
  expires_in: number;
  access_token: string;
}

/** An API client, or a stack whose agent signs in as the stack. */
type OAuthClient =
  | { kind: 'client'; id: string; accountId: string; secretHash: string }
  | { kind: 'stack'; id: string; accountId: string };

const wrongClient = () =>
  new Failure('invalid_client', 'The client_id is unknown or its client_secret is wrong');
const wrongUser = () => new Failure('invalid_grant', 'The username is unknown or the password is wrong');

const required = (value: string | undefined, name: string): string => {
  if (value) return value;
  throw new Failure('invalid_request', `${name} not specified`);
};

async function authenticateClient(service: Service, request: TokenRequest): Promise<OAuthClient> {
  const id = required(request.clientId, 'client_id');
  const secret = required(request.clientSecret, 'client_secret');
  const client = await checkThrottled(
    service,
    { subject: `client ${id}`, address: request.address, pace: null },
    () => (isStackId(id) ? asStack(service, id, secret) : asApiClient(service, id, secret)),
  );
  if (client) return client;
  throw wrongClient();
}

async function asApiClient(service: Service, id: string, secret: string): Promise<OAuthClient | undefined> {
  const client = await findApiClient(service.database.query, id);
  const matches = client && (await matchesHash(secret, client.secret_hash));
  return matches
    ? { kind: 'client', id, accountId: client.account_id, secretHash: client.secret_hash }
    : undefined;
}

async function asStack(service: Service, id: string, secret: string): Promise<OAuthClient | undefined> {
  const stack = await findStackById(service.database.query, id);
  if (!stack || stack.deleted_at !== null) return undefined;
  const token = service.sealer.unseal(stack.sealed_auth_token, sealedFor.authToken(id));
  return equalTexts(secret, token.reveal()) ? { kind: 'stack', id, accountId: stack.account_id } : undefined;
}

async function authenticateUser(
  service: Service,
  { accountId }: OAuthClient,
  request: TokenRequest,
): Promise<UserRow> {
  const username = required(request.username, 'username');
  const password = required(request.password, 'password');
  const user = await findUserByLogin(service.database.query, accountId, username);
  const matches = await passwordMatches(
    service,
    { accountId, user, username, address: request.address },
    password,
  );
  if (!user || !matches) throw wrongUser();
  return user;
}

function refuseGrant(service: Service, request: TokenRequest): void {
  const grant = required(request.grantType, 'grant_type');
  const passwordAllowed = request.version === 'v3' || service.settings.passwordGrantOnV2;
  if (grant === 'client_credentials' || (grant === 'password' && passwordAllowed)) return;
  const offered = passwordAllowed ? 'client_credentials or password' : 'client_credentials';
  throw new Failure('unsupported_grant_type', `grant_type must be ${offered} on /${request.version}`);
}

/** Checks again inside the transaction: the client or user may have been changed while its secret was checked. */
async function refuseChanged(query: Query, { client, user }: SignIn, now: number): Promise<void> {
  if (client.kind === 'client' && (await findApiClient(query, client.id))?.secret_hash !== client.secretHash)
    throw wrongClient();
  if (user && !(await recordLogin(query, user, now))) throw wrongUser();
}

/** Issues a token that is valid on every server and across restarts. */
export async function issueToken(service: Service, request: TokenRequest): Promise<IssuedToken> {
  refuseGrant(service, request);
  const client = await authenticateClient(service, request);
  const asUser = request.grantType === 'password';
  if (asUser && client.kind === 'stack')
    throw new Failure('unauthorized_client', 'A stack must use grant_type client_credentials');
  const user = asUser ? await authenticateUser(service, client, request) : null;
  const token = newAccessToken();
  const origin = originOf(asUser ? 'password' : 'client_credentials', request);
  await saveTokenFor(service, token, { client, user, origin });
  return { token_type: 'Bearer', expires_in: tokenLifetimeSeconds, access_token: token };
}

interface NewToken {
  token: string;
  now: number;
  row: Pick<AccessTokenRow, 'account_id' | 'kind' | 'subject' | 'client_id'> & TokenOrigin;
}

/** Stores the digest of a token with the full lifetime, and deletes expired tokens. Refuses a suspended account. */
export async function saveToken(query: Query, { token, now, row }: NewToken): Promise<void> {
  if (row.kind !== 'stack') await refuseSuspended(query, row.account_id);
  await deleteExpiredAccessTokens(query, now);
  await insertAccessToken(query, {
    ...row,
    hash: digest(token),
    id: newTokenId(),
    issued_at: now,
    expires_at: now + tokenLifetimeSeconds * 1000,
  });
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
  const row = {
    account_id: client.accountId,
    kind: user ? 'user' : client.kind,
    subject: user ? user.id : client.id,
    client_id: client.id,
    ...origin,
  } as const;
  const save = async (query: Query): Promise<void> => {
    await refuseChanged(query, signIn, now);
    await saveToken(query, { token, now, row });
  };
  // There are many stacks, and their secret never changes: they need no lock.
  if (client.kind === 'stack') await service.database.transaction(save);
  else await changeAccess(service, client.accountId, save);
}

/** RFC 7009: the client authenticates; an unknown token, or one of another client, is not an error. */
export async function revokeToken(
  service: Service,
  request: TokenRequest,
  token: string | undefined,
): Promise<void> {
  const client = await authenticateClient(service, request);
  await deleteAccessToken(service.database.query, digest(required(token, 'token')), client.id);
}
