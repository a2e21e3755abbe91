import { Failure } from '../../basics/failure.ts';
import type { HeldRole } from '../../model/decide-access.ts';
import { findAccessToken, findUserById } from '../../store/access/accounts.ts';
import type { Service } from '../service.ts';
import { decideAtAll, requireOnStack, rolesOfUser } from './permission.ts';
import { digest } from './secret-hash.ts';

/** Whoever a token speaks for. */
export type Actor =
  | {
      kind: 'user';
      accountId: string;
      userId: string;
      username: string;
      master: boolean;
      /** What binds it; the master is bound by nothing. */
      roles: readonly HeldRole[];
      /** Digest of the token it came with. */
      tokenHash?: string;
    }
  /** An API client: the account's owner on v2 paths, no more than an agent on v3 paths. */
  | { kind: 'client'; accountId: string; clientId: string; tokenHash?: string }
  /** An agent on one of the stack's instances. */
  | { kind: 'stack'; accountId: string; stackId: string };

/** A route says who may call it; see contract/route. */
export type DeclaredAccess = 'public' | 'agent' | 'self' | 'master' | { action: string };

export const authenticate = (service: Service, token: string): Promise<Actor | null> =>
  actorBehind(service, digest(token));

/** Who is behind a token now, given its digest: whatever goes on for long asks again. */
export async function actorBehind(service: Service, tokenHash: string): Promise<Actor | null> {
  const row = await findAccessToken(service.database.query, tokenHash, service.clock.now());
  if (!row) return null;
  const accountId = row.account_id;
  if (row.kind === 'client') return { kind: 'client', accountId, clientId: row.subject, tokenHash };
  if (row.kind === 'stack') return { kind: 'stack', accountId, stackId: row.subject };
  const user = await findUserById(service.database.query, row.subject);
  if (!user) return null;
  const master = user.master === 1;
  const roles = master ? [] : await rolesOfUser(service.database.query, accountId, user.id);
  return { kind: 'user', accountId, userId: user.id, username: user.username, master, roles, tokenHash };
}

/** Deny unless something below says otherwise. */
export function mayCall(actor: Actor, access: DeclaredAccess, version: 'v2' | 'v3'): boolean {
  if (access === 'public' || access === 'agent') return true;
  switch (actor.kind) {
    case 'stack':
      return false;
    case 'client':
      return version === 'v2';
    case 'user':
      if (actor.master || access === 'self') return true;
      return access !== 'master' && decideAtAll(actor, access.action).allowed;
  }
}

const whyNot: Readonly<Record<Actor['kind'], string>> = {
  stack: "A stack's own token reaches only that stack's agent endpoints.",
  client:
    'A client_credentials token reaches only agent endpoints on v3 paths; sign in with grant_type password.',
  user: 'Ask the master account for a role that allows it.',
};

/** What a request says it is about, before its body is read. */
export interface Subject {
  stackId?: string | undefined;
}

/** Refuses whoever may not call the route at all, or not about this stack. */
export async function refuseUnlessMayCall(
  service: Service,
  actor: Actor,
  { access, version, stackId }: { access: DeclaredAccess; version: 'v2' | 'v3' } & Subject,
): Promise<void> {
  if (!mayCall(actor, access, version))
    throw new Failure('forbidden', 'RBAC response is limited.', { description: whyNot[actor.kind] });
  if (typeof access === 'object' && stackId)
    await requireOnStack(service.database.query, actor, access.action, stackId);
}

/** The name a stack or a version keeps of who made it. */
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
