import type { ClientKind } from '../src/model/client-kinds.ts';
import type { HeldRole } from '../src/model/decide-access.ts';
import type { Actor } from '../src/operations/access/access.ts';

/** Actors for operations that tests call directly, without a token. */

export const stackActor = (accountId: string, stackId: string): Actor => ({
  kind: 'stack',
  accountId,
  stackId,
  clientId: stackId,
  clientKind: 'agent',
});

export const clientActor = (accountId: string, clientKind: ClientKind = 'owner'): Actor => ({
  kind: 'client',
  accountId,
  clientId: 'lg-1',
  clientKind,
  roles: [],
});

/** The master, unless roles are given. */
export const userActor = (
  accountId: string,
  { userId, username }: { userId: string; username: string },
  roles?: readonly HeldRole[],
): Actor => ({
  kind: 'user',
  accountId,
  userId,
  username,
  master: roles === undefined,
  roles: roles ?? [],
  clientId: 'lg-1',
  clientKind: 'sign-in',
});
