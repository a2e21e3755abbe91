import { Failure } from '../../basics/failure.ts';
import { isPersonalToken } from '../../model/names.ts';
import { type AccessTokenRow, findAccessToken, findUserById } from '../../store/access/accounts.ts';
import { recordTokenUse } from '../../store/access/own-tokens.ts';
import { findTokenOfSession } from '../../store/access/sessions.ts';
import { Remembered } from '../../store/database/remembered.ts';
import type { Service } from '../service.ts';
import type { Actor, Authenticated } from './actor.ts';
import { type CalledRoute, denialFor, mayCall } from './may-call.ts';
import { requireOnStack, rolesOfClient, rolesOfUser } from './permission.ts';
import { personalActor } from './personal-actor.ts';
import { refuseStaleProof } from './recent-proof.ts';
import { digest } from './secret-hash.ts';
import { refuseSuspendedToken } from './suspension.ts';

export type { Actor } from './actor.ts';

interface KnownToken {
  row: AccessTokenRow;
  actor: Actor | null;
}

/** Everything that an actor and its rights are read from. */
const actorTables = ['access_tokens', 'accounts', 'users', 'roles', 'user_roles', 'client_roles'] as const;
const tokens = new Remembered<KnownToken | undefined>(actorTables, { max: 2000 });

async function findToken(service: Service, hash: string): Promise<KnownToken | undefined> {
  const { database, clock } = service;
  const now = clock.now();
  const known = await tokens.read(database, hash, async () => {
    const row = await findAccessToken(database.query, hash, now);
    return row && { row, actor: await actorOf(service, row) };
  });
  return known && known.row.expires_at > now ? known : undefined;
}

/** Mostly at once: who calls again is known. A promise for each step would cost as much as the steps. */
export function authenticate(service: Service, token: string): Actor | null | Promise<Actor | null> {
  const tokenHash = digest(token);
  return knownActor(service, tokenHash) ?? lookUpActor(service, token, tokenHash);
}

/** Of a token whose use need not be recorded again. */
function knownActor({ database, clock }: Service, tokenHash: string): Actor | null {
  const known = tokens.known(database, tokenHash);
  const now = clock.now();
  return known && known.row.expires_at > now && isUseRecorded(known.row, now) ? known.actor : null;
}

async function lookUpActor(service: Service, token: string, tokenHash: string): Promise<Actor | null> {
  const actor = isPersonalToken(token)
    ? await personalActor(service, tokenHash)
    : await signedInActor(service, tokenHash);
  if (!actor) await refuseSuspendedToken(service, tokenHash);
  return actor;
}

async function signedInActor(service: Service, tokenHash: string): Promise<Actor | null> {
  const known = await findToken(service, tokenHash);
  if (!known) return null;
  await noteUse(service, known.row);
  return known.actor;
}

/** Finds the current actor by its `lastingHash`. Long-running work calls this again to notice revocation. */
export async function actorBehind(service: Service, hash: string): Promise<Actor | null> {
  const { database, clock } = service;
  const renewed = await findTokenOfSession(database.query, hash, clock.now());
  if (renewed) return actorOf(service, renewed);
  const known = await findToken(service, hash);
  return known ? known.actor : personalActor(service, hash);
}

/** At most one write per minute and token. */
const useRecordedMs = 60_000;

/** Only for tokens of users, which are listed. */
const isUseRecorded = ({ kind, last_used_at }: AccessTokenRow, now: number): boolean =>
  kind !== 'user' || (last_used_at !== null && last_used_at > now - useRecordedMs);

/** A database that cannot be written must not prevent reading. */
async function noteUse({ clock, database }: Service, row: AccessTokenRow): Promise<void> {
  const now = clock.now();
  if (isUseRecorded(row, now)) return;
  const use = { hash: row.hash, now, before: now - useRecordedMs };
  await recordTokenUse(database.query, use).catch(() => {});
}

async function actorOf(service: Service, row: AccessTokenRow): Promise<Actor | null> {
  const actor: Authenticated = {
    accountId: row.account_id,
    clientId: row.client_id,
    clientKind: row.client_kind,
    tokenHash: row.hash,
    ...(row.session_hash === null ? {} : { sessionHash: row.session_hash }),
    // A renewed token of a session is younger than its sign-in.
    provedAt: row.proved_at ?? row.session_at ?? row.issued_at,
  };
  if (row.kind === 'stack') return { ...actor, kind: 'stack', stackId: row.subject };
  return row.kind === 'user' ? userBehind(service, actor, row.subject) : clientBehind(service, actor);
}

async function clientBehind({ database }: Service, actor: Authenticated): Promise<Actor> {
  const { accountId, clientId, clientKind } = actor;
  const roles = clientKind === 'service' ? await rolesOfClient(database.query, accountId, clientId) : [];
  return { ...actor, kind: 'client', roles };
}

async function userBehind(
  { database }: Service,
  actor: Authenticated,
  userId: string,
): Promise<Actor | null> {
  const user = await findUserById(database.query, userId);
  if (!user) return null;
  const master = user.master === 1;
  const roles = master ? [] : await rolesOfUser(database.query, actor.accountId, userId);
  return { ...actor, kind: 'user', userId, username: user.username, master, roles };
}

/** The stack a request names outside its body. */
export interface Subject {
  stackId?: string | undefined;
}

/** Refuses actors that may not call the route, or not for this stack. */
export function refuseUnlessMayCall(
  service: Service,
  actor: Actor,
  route: CalledRoute & Subject,
): void | Promise<void> {
  const { access, stackId } = route;
  if (!mayCall(actor, route))
    throw new Failure('forbidden', 'RBAC response is limited.', {
      description: denialFor(actor, route),
    });
  refuseStaleProof(service, actor, route.proof);
  if (typeof access === 'object' && stackId)
    return requireOnStack(service.database.query, actor, { action: access.action, stackId });
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
