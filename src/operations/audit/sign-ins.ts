import { type AccessTokenRow, findUserById } from '../../store/access/accounts.ts';
import type { PersonalTokenRow } from '../../store/access/personal-tokens.ts';
import type { Query } from '../../store/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { recordIn, type Store } from './write-entries.ts';

export const signInAction = 'sign-in';

type SignIn = Pick<
  AccessTokenRow,
  'account_id' | 'kind' | 'subject' | 'client_id' | 'client_kind' | 'grant_type' | 'address'
>;

/** Records a sign-in in the transaction that stores its token. */
export async function recordSignIn(store: Store, query: Query, signIn: SignIn): Promise<void> {
  const { account_id, kind, subject, client_id, client_kind, grant_type, address } = signIn;
  const user = kind === 'user' ? await findUserById(query, subject) : undefined;
  await recordIn(store, query, {
    account_id,
    actor_kind: kind,
    actor: user?.username ?? subject,
    action: signInAction,
    resource: `mrn:alm:client:${client_id}`,
    route: signInAction,
    address,
    client_id,
    client_kind,
    detail: `signed in with grant ${grant_type}`,
  });
}

/** Records that a client revoked a token with its own secret, in the transaction that deletes the token. */
export const recordRevocation = (
  store: Store,
  query: Query,
  { token, address }: { token: AccessTokenRow; address: string },
): Promise<void> =>
  recordIn(store, query, {
    account_id: token.account_id,
    actor_kind: 'client',
    actor: token.client_id,
    action: 'revoke',
    resource: `mrn:alm:token:${token.id}`,
    route: 'v3RevokeToken',
    address,
    client_id: token.client_id,
    client_kind: token.client_kind,
    detail: `revoked a token of ${token.kind} ${token.subject}`,
  });

interface PersonalRevocation {
  token: PersonalTokenRow;
  client: Pick<AccessTokenRow, 'client_id' | 'client_kind'>;
  address: string;
}

/** Records that the holder of a personal access token revoked it, in the transaction that deletes the token. */
export async function recordPersonalRevocation(
  store: Store,
  query: Query,
  { token, client, address }: PersonalRevocation,
): Promise<void> {
  const user = await findUserById(query, token.user_id);
  await recordIn(store, query, {
    account_id: token.account_id,
    actor_kind: 'client',
    actor: client.client_id,
    action: 'revoke',
    resource: `mrn:alm:token:${token.id}`,
    route: 'v3RevokeToken',
    address,
    ...client,
    detail: `revoked personal access token ${token.name} of user ${user?.username ?? token.user_id}`,
  });
}

export type SignedOutUser = Pick<
  Extract<Actor, { kind: 'user' }>,
  'accountId' | 'username' | 'clientId' | 'clientKind'
>;

/** Records that a user signed out, in the transaction that ends the session. */
export const recordSignOut = (
  store: Store,
  query: Query,
  { user, address }: { user: SignedOutUser; address: string },
): Promise<void> =>
  recordIn(store, query, {
    account_id: user.accountId,
    actor_kind: 'user',
    actor: user.username,
    action: 'sign-out',
    resource: `mrn:alm:client:${user.clientId}`,
    route: 'v3EndSession',
    status: 204,
    address,
    client_id: user.clientId,
    client_kind: user.clientKind,
  });
