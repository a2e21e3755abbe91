import { Failure, notFound } from '../../../basics/failure.ts';
import { sameIssuer } from '../../../openid/claims.ts';
import {
  deleteIdentityOf,
  findIdentity,
  findIdentityOf,
  insertIdentity,
} from '../../../store/access/openid-identities.ts';
import { deletePasskeysOf } from '../../../store/access/passkeys.ts';
import type { Actor } from '../../access/access.ts';
import { changeAccess } from '../../access/access-lock.ts';
import { userNamed } from '../../access/users.ts';
import type { Service } from '../../service.ts';

export interface LinkRequest {
  username: string;
  subject: string;
  /** Undefined: the provider of the settings. */
  issuer: string | undefined;
}

export interface LinkedIdentity {
  issuer: string;
  subject: string;
}

function issuerOf({ openId }: Service, { issuer }: LinkRequest): string {
  const found = issuer ?? openId?.config.issuer;
  if (found !== undefined) return sameIssuer(found);
  throw new Failure('invalid_request', 'issuer not specified, and this server has no OpenID provider', {
    problems: [{ path: 'issuer', message: 'issuer not specified' }],
  });
}

/** Lets an identity of the provider sign in as an existing user, instead of the identity it had before. */
export async function linkIdentity(
  service: Service,
  { accountId: account_id }: Actor,
  request: LinkRequest,
): Promise<LinkedIdentity> {
  const identity = { issuer: issuerOf(service, request), subject: request.subject };
  await changeAccess(service, account_id, async (query) => {
    const user = await userNamed(query, account_id, request.username);
    if (user.master === 1)
      throw new Failure('conflict', 'The master signs in with a password only', {
        description: 'So neither an outage nor a break-in at the provider can take the account over.',
      });
    const taken = await findIdentity(query, { account_id, ...identity });
    if (taken && taken.user_id !== user.id)
      throw new Failure('duplicate', 'The identity is already linked with another user', {
        description: 'Unlink it there first.',
      });
    await deleteIdentityOf(query, user.id);
    // They would still sign in after the provider blocks the person.
    await deletePasskeysOf(query, user.id);
    await insertIdentity(query, {
      account_id,
      ...identity,
      user_id: user.id,
      created_at: service.clock.now(),
    });
  });
  return identity;
}

const noIdentity = (username: string) => notFound('OpenID identity of user', username);

export async function describeIdentity(
  service: Service,
  { accountId }: Actor,
  username: string,
): Promise<LinkedIdentity> {
  const { query } = service.database;
  const user = await userNamed(query, accountId, username);
  const identity = await findIdentityOf(query, user.id);
  if (!identity) throw noIdentity(username);
  return { issuer: identity.issuer, subject: identity.subject };
}

/** The user keeps its tokens and its password. */
export async function unlinkIdentity(
  service: Service,
  { accountId }: Actor,
  username: string,
): Promise<void> {
  await changeAccess(service, accountId, async (query) => {
    const user = await userNamed(query, accountId, username);
    if (!(await deleteIdentityOf(query, user.id))) throw noIdentity(username);
  });
}
