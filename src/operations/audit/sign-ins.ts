import { type AccessTokenRow, findUserById } from '../../store/access/accounts.ts';
import type { Query } from '../../store/database/database.ts';
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
