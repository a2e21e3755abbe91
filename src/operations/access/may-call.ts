import { isRepositoryAction } from '../../model/actions.ts';
import type { ClientKind } from '../../model/client-kinds.ts';
import type { Actor } from './actor.ts';
import { decideAtAll, noPermission } from './permission.ts';

/** Access declared by a route; see contract/route. */
export type DeclaredAccess = 'public' | 'agent' | 'self' | 'master' | { action: string };

export interface CalledRoute {
  access: DeclaredAccess;
  version: 'v2' | 'v3';
  /** The route changes nothing. */
  readOnly: boolean;
  /** Whether the user must have proved the password a short time ago; see contract/route. */
  proof?: 'always' | 'browser' | 'others' | undefined;
}

type Of<Kind extends Actor['kind']> = Extract<Actor, { kind: Kind }>;

/** What an API client may call without a user. No role gives a client the rights of an agent, a user or the master. */
const clientMayCall: Readonly<Record<ClientKind, (route: CalledRoute, client: Of<'client'>) => boolean>> = {
  'sign-in': () => false,
  agent: ({ access }) => access === 'agent',
  service: ({ access }, client) => typeof access === 'object' && decideAtAll(client, access.action).allowed,
  owner: ({ access, version }) => access === 'agent' || version === 'v2',
};

function userMayCall(user: Of<'user'>, { access, readOnly }: CalledRoute): boolean {
  if (access === 'public' || access === 'agent') return true;
  // A personal access token must not outlive itself: it changes nothing that its user signs in with.
  if (access === 'self') return !user.personalToken || readOnly;
  if (user.master) return true;
  if (access === 'master') return false;
  return isRepositoryAction(access.action) || decideAtAll(user, access.action).allowed;
}

/** Denies by default. */
export function mayCall(actor: Actor, route: CalledRoute): boolean {
  switch (actor.kind) {
    case 'stack':
      return route.access === 'public' || route.access === 'agent';
    case 'client':
      return route.access === 'public' || clientMayCall[actor.clientKind](route, actor);
    case 'user':
      return userMayCall(actor, route);
  }
}

export const masterOnly = 'Only the master account has permission for this request.';

const userDenial = ({ personalToken }: Of<'user'>): string =>
  personalToken ? 'A personal access token cannot do this. Sign in instead: alm login.' : masterOnly;

const clientDenials: Readonly<Record<ClientKind, string>> = {
  'sign-in': 'An API client of kind sign-in has no rights of its own; sign in with grant_type password.',
  agent:
    'An API client of kind agent may call only agent endpoints; sign in with grant_type password, or use a client of kind service.',
  service:
    'An API client of kind service may call only what roles can allow; sign in with grant_type password, or use a client of kind agent.',
  owner:
    'A client_credentials token is valid only for agent endpoints on v3 paths; sign in with grant_type password.',
};

/** Explains a denial to the caller. */
export function denialFor(actor: Actor, { access }: CalledRoute): string {
  if (actor.kind === 'stack') return "The token of a stack is valid only for that stack's agent endpoints.";
  const isByRoles = actor.kind === 'user' || actor.clientKind === 'service';
  if (isByRoles && typeof access === 'object')
    return noPermission(access.action, decideAtAll(actor, access.action));
  return actor.kind === 'user' ? userDenial(actor) : clientDenials[actor.clientKind];
}
