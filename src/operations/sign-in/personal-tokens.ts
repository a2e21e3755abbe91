import { Failure, notFound } from '../../basics/failure.ts';
import { Secret } from '../../basics/secret.ts';
import { newPersonalToken, newTokenId } from '../../model/names.ts';
import { findUserById, type UserRow } from '../../store/access/accounts.ts';
import {
  deleteExpiredPersonalTokens,
  deletePersonalToken,
  insertPersonalToken,
  listPersonalTokens,
  type PersonalTokenRow,
} from '../../store/access/personal-tokens.ts';
import type { Query } from '../../store/database/database.ts';
import type { Actor } from '../access/access.ts';
import { changeAccess } from '../access/access-lock.ts';
import { shownRoleId } from '../access/default-role.ts';
import { checkScope } from '../access/roles.ts';
import { digest } from '../access/secret-hash.ts';
import { type SignedInUser, selfOrAsMaster, signedInUser } from '../access/users.ts';
import type { Service } from '../service.ts';
import { type OwnProof, proveOwn } from './prove-password.ts';
import { rolesToName } from './token-roles.ts';

export interface NewPersonalToken extends OwnProof {
  name: string;
  /** Roles that the token is limited to; exactly one of `roles` and `scope` is set. */
  roles: readonly string[] | null;
  scope: string | null;
  days: number;
}

/** A personal access token without its value. */
export interface ListedPersonalToken {
  id: string;
  name: string;
  roles: string[];
  scope: string | null;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
}

/** The only time the token is known; the store has its digest. */
export interface CreatedPersonalToken {
  id: string;
  token: Secret;
  expiresAt: number;
}

const dayMs = 24 * 60 * 60_000;
const maxTokensOfUser = 50;

const invalid = (path: string, message: string, description = ''): Failure =>
  new Failure('invalid_request', message, { description, problems: [{ path, message }] });

function checkRequest(service: Service, { roles, scope, days }: NewPersonalToken): void {
  const { personalTokenDays: maxDays } = service.settings;
  if (days > maxDays) throw invalid('expires_in_days', `expires_in_days must be at most ${maxDays}`);
  if ((roles === null) === (scope === null))
    throw invalid(
      'roles',
      'Specify either roles or scope',
      'roles: some of your own roles. scope: statements, as in a role. A token never has more rights than you.',
    );
  if (scope !== null) checkScope(scope);
}

async function rowOf(query: Query, { userId, username }: SignedInUser): Promise<UserRow> {
  const user = await findUserById(query, userId);
  if (user) return user;
  throw notFound('User', username);
}

/** A token created with the old password must not outlive the change of the password. */
async function unchanged(query: Query, proven: UserRow): Promise<UserRow> {
  const user = await findUserById(query, proven.id);
  if (user && user.password_hash === proven.password_hash) return user;
  throw new Failure('conflict', 'Your password was changed by another request', {
    description: 'Sign in again with the new password.',
  });
}

async function refuseTooMany(query: Query, userId: string, now: number): Promise<void> {
  if ((await listPersonalTokens(query, userId, now)).length < maxTokensOfUser) return;
  throw new Failure('conflict', `You already have ${maxTokensOfUser} personal access tokens`, {
    description: 'Revoke those that are no longer used.',
  });
}

async function saveToken(
  service: Service,
  proven: UserRow,
  { token, request }: { token: string; request: NewPersonalToken },
): Promise<CreatedPersonalToken> {
  const { account_id: accountId, id: userId } = proven;
  const now = service.clock.now();
  const [id, expiresAt] = [newTokenId(), now + request.days * dayMs];
  await changeAccess(service, accountId, async (query) => {
    const user = await unchanged(query, proven);
    await deleteExpiredPersonalTokens(query, now);
    await refuseTooMany(query, userId, now);
    await insertPersonalToken(query, {
      hash: digest(token),
      id,
      account_id: accountId,
      user_id: userId,
      name: request.name,
      role_ids: JSON.stringify(await rolesToName(query, user, request.roles ?? [])),
      scope: request.scope,
      created_at: now,
      expires_at: expiresAt,
      last_used_at: null,
    });
  });
  return { id, token: new Secret(token), expiresAt };
}

/** Creates a token for a program of the caller. */
export async function createPersonalToken(
  service: Service,
  actor: Actor,
  request: NewPersonalToken,
): Promise<CreatedPersonalToken> {
  const caller = signedInUser(actor);
  checkRequest(service, request);
  const user = await rowOf(service.database.query, caller);
  await proveOwn(service, user, request);
  return saveToken(service, user, { token: newPersonalToken(), request });
}

const listed = (row: PersonalTokenRow): ListedPersonalToken => ({
  id: row.id,
  name: row.name,
  roles: (JSON.parse(row.role_ids) as string[]).map((id) => shownRoleId(row.account_id, id)),
  scope: row.scope,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
});

/** The tokens of the caller, or for the master those of any user. */
export async function describePersonalTokens(
  service: Service,
  actor: Actor,
  username: string | null,
): Promise<ListedPersonalToken[]> {
  const userId =
    username === null ? signedInUser(actor).userId : (await selfOrAsMaster(service, actor, username)).id;
  return (await listPersonalTokens(service.database.query, userId, service.clock.now())).map(listed);
}

/** The master revokes the token of any user; others only their own. */
export async function revokePersonalToken(service: Service, actor: Actor, id: string): Promise<void> {
  const { accountId, userId, master } = signedInUser(actor);
  const owner = { accountId, userId: master ? null : userId, id, now: service.clock.now() };
  if (!(await deletePersonalToken(service.database.query, owner)))
    throw notFound('Personal access token', id);
}
