import { isStackId } from './names.ts';

/**
 * What an API client may do without a user:
 *
 * - `sign-in`: nothing. Users sign in through it.
 * - `agent`: reads and reports as the agent of every stack of its account.
 * - `service`: what its own roles allow.
 * - `owner`: everything on v2 paths, agent endpoints on v3 paths; users sign in through it too. The client of the
 *   first start, and every client that is older than the kinds.
 */
export const clientKinds = ['sign-in', 'agent', 'service', 'owner'] as const;
export type ClientKind = (typeof clientKinds)[number];

/** Omitting the kind must not give rights. */
export const defaultClientKind: ClientKind = 'sign-in';

/** The client of the command line. It has no secret, exists in every account, and has the rights of kind `sign-in`. */
export const publicClientId = 'alm';

/** Shown as the client of tokens from the ssh gateway. */
export const gatewayClientId = 'gateway';

/** Shown as the client of tokens that browsers hold. */
export const consoleClientId = 'console';

/** Stands for the client of tokens that no client got: users make them themselves. */
export const personalClientId = 'personal';

/** Shown as the client of tokens that `docker login` stores. */
export const registryClientId = 'registry';

/** Shown as the client of what the server does by itself in the name of a user, after a push or a call of a deploy hook. */
export const automaticClientId = 'automatic';

const reservedIds: ReadonlySet<string> = new Set([
  publicClientId,
  gatewayClientId,
  consoleClientId,
  personalClientId,
  registryClientId,
  automaticClientId,
]);

/** Ids that tokens of every account have, or that stacks have; an API client with one would share their tokens. */
export const isReservedClientId = (id: string): boolean => reservedIds.has(id) || isStackId(id);

export type Grant = 'password' | 'client_credentials';

const grants: Readonly<Record<ClientKind, readonly Grant[]>> = {
  'sign-in': ['password'],
  agent: ['client_credentials'],
  service: ['client_credentials'],
  owner: ['password', 'client_credentials'],
};

export const mayUseGrant = (kind: ClientKind, grant: Grant): boolean => grants[kind].includes(grant);
