import { Failure } from '../../basics/failure.ts';
import type { HeldRole } from '../../model/decide-access.ts';
import { isPersonalToken } from '../../model/names.ts';
import { type AccessTokenRow, findAccessToken, findUserById } from '../../store/access/accounts.ts';
import { recordTokenUse } from '../../store/access/own-tokens.ts';
import type { Service } from '../service.ts';
import { decideAtAll, noPermission, requireOnStack, rolesOfUser } from './permission.ts';
import { personalActor } from './personal-actor.ts';
import { digest } from './secret-hash.ts';
import { refuseSuspendedToken } from './suspension.ts';

/** The user, API client or stack that a token belongs to. */
export type Actor =
  | {
      kind: 'user';
      accountId: string;
      userId: string;
      username: string;
      master: boolean;
      /** Roles that limit the user; they do not limit the master. */
      roles: readonly HeldRole[];
      /** Digest of the access token. */
      tokenHash?: string;
      /** What a personal access token leaves of the rights of the user. */
      tokenRoles?: readonly HeldRole[];
      /** Set if the caller uses a personal access token. */
      personalToken?: { id: string; name: string };
    }
  /** An API client: has the rights of the account's owner on v2 paths, and those of an agent on v3 paths. */
  | { kind: 'client'; accountId: string; clientId: string; tokenHash?: string }
  /** An agent on one of the stack's instances. */
  | { kind: 'stack'; accountId: string; stackId: string };

/** Access declared by a route; see contract/route. */
export type DeclaredAccess = 'public' | 'agent' | 'self' | 'master' | { action: string };

const findToken = (service: Service, tokenHash: string): Promise<AccessTokenRow | undefined> =>
  findAccessToken(service.database.query, tokenHash, service.clock.now());

export async function authenticate(service: Service, token: string): Promise<Actor | null> {
  const tokenHash = digest(token);
  const actor = isPersonalToken(token)
    ? await personalActor(service, tokenHash)
    : await signedInActor(service, tokenHash);
  if (!actor) await refuseSuspendedToken(service, tokenHash);
  return actor;
}

async function signedInActor(service: Service, tokenHash: string): Promise<Actor | null> {
  const row = await findToken(service, tokenHash);
  if (!row) return null;
  await noteUse(service, row);
  return actorOf(service, row);
}

/** Finds the current actor of a token by its digest. Long-running work calls this again to notice revocation. */
export async function actorBehind(service: Service, tokenHash: string): Promise<Actor | null> {
  const row = await findToken(service, tokenHash);
  return row ? actorOf(service, row) : personalActor(service, tokenHash);
}

/** At most one write per minute and token. */
const useRecordedMs = 60_000;

/** Only for tokens of users, which are listed. A database that cannot be written must not prevent reading. */
async function noteUse(service: Service, { kind, hash, last_used_at }: AccessTokenRow): Promise<void> {
  const now = service.clock.now();
  const before = now - useRecordedMs;
  if (kind !== 'user' || (last_used_at !== null && last_used_at > before)) return;
  await recordTokenUse(service.database.query, { hash, now, before }).catch(() => {});
}

async function actorOf(service: Service, row: AccessTokenRow): Promise<Actor | null> {
  const tokenHash = row.hash;
  const accountId = row.account_id;
  if (row.kind === 'client') return { kind: 'client', accountId, clientId: row.subject, tokenHash };
  if (row.kind === 'stack') return { kind: 'stack', accountId, stackId: row.subject };
  const user = await findUserById(service.database.query, row.subject);
  if (!user) return null;
  const master = user.master === 1;
  const roles = master ? [] : await rolesOfUser(service.database.query, accountId, user.id);
  return { kind: 'user', accountId, userId: user.id, username: user.username, master, roles, tokenHash };
}

interface CalledRoute {
  access: DeclaredAccess;
  version: 'v2' | 'v3';
  /** The route changes nothing. */
  readOnly: boolean;
}

/** Denies by default. */
function mayCall(actor: Actor, { access, version, readOnly }: CalledRoute): boolean {
  if (access === 'public' || access === 'agent') return true;
  switch (actor.kind) {
    case 'stack':
      return false;
    case 'client':
      return version === 'v2';
    case 'user':
      // A personal access token must not outlive itself: it changes nothing that its user signs in with.
      if (access === 'self') return !actor.personalToken || readOnly;
      if (actor.master) return true;
      return access !== 'master' && decideAtAll(actor, access.action).allowed;
  }
}

const denialFor: Readonly<Record<Actor['kind'], (access: DeclaredAccess, actor: Actor) => string>> = {
  stack: () => "The token of a stack is valid only for that stack's agent endpoints.",
  client: () =>
    'A client_credentials token is valid only for agent endpoints on v3 paths; sign in with grant_type password.',
  user: (access, actor) => {
    if (actor.kind === 'user' && actor.personalToken && typeof access === 'string')
      return 'A personal access token cannot do this. Sign in with grant_type password.';
    return typeof access === 'object' && actor.kind === 'user'
      ? noPermission(access.action, decideAtAll(actor, access.action))
      : 'Only the master account has permission for this request.';
  },
};

/** The stack a request names outside its body. */
export interface Subject {
  stackId?: string | undefined;
}

/** Refuses actors that may not call the route, or not for this stack. */
export async function refuseUnlessMayCall(
  service: Service,
  actor: Actor,
  { stackId, ...route }: CalledRoute & Subject,
): Promise<void> {
  const { access } = route;
  if (!mayCall(actor, route))
    throw new Failure('forbidden', 'RBAC response is limited.', {
      description: denialFor[actor.kind](access, actor),
    });
  if (typeof access === 'object' && stackId)
    await requireOnStack(service.database.query, actor, { action: access.action, stackId });
}

/** Name of the actor, as stored with the stacks and versions it creates. */
export const nameOf = (actor: Actor): string => {
  switch (actor.kind) {
    case 'user':
      return actor.username;
    case 'client':
      return actor.clientId;
    case 'stack':
      return actor.stackId;
  }
};
