import { Failure, notFound } from '../../basics/failure.ts';
import { credentialResource, stackResources, vendorResource } from '../../model/actions.ts';
import type { ClientKind } from '../../model/client-kinds.ts';
import {
  type AccessRequest,
  type Decision,
  decide,
  type HeldRole,
  mayAtAll,
  type RequestedAction,
} from '../../model/decide-access.ts';
import { defaultUserScope, parseScope, type Scope, upgradedScope } from '../../model/role-scope.ts';
import { listRolesOfClient } from '../../store/access/client-roles.ts';
import type { RoleRow } from '../../store/access/roles.ts';
import { listRolesOfUser } from '../../store/access/user-roles.ts';
import type { Query } from '../../store/database/database.ts';
import { findStack, type StackRow } from '../../store/stacks/stacks.ts';

/** Parsing a scope is expensive and deterministic: cache recent ones. */
const scopeCache = new Map<string, Scope>();
const maxCachedScopes = 1000;

function scopeOf(text: string): Scope {
  const cached = scopeCache.get(text);
  if (cached) return cached;
  const parsed = parseScope(text);
  // Only valid scopes are stored; an invalid one would allow nothing.
  const scope = parsed.ok ? upgradedScope(parsed.value.scope) : { version: '', statements: [] };
  if (scopeCache.size >= maxCachedScopes) scopeCache.clear();
  scopeCache.set(text, scope);
  return scope;
}

export const heldRole = ({ id, name, scope }: Pick<RoleRow, 'id' | 'name' | 'scope'>): HeldRole => ({
  roleId: id,
  name,
  scope: scopeOf(scope),
});

const withoutRole: HeldRole = { roleId: '', name: 'default', scope: defaultUserScope };

/** Roles of a user who is not the master; a user without roles has the default scope. */
export async function rolesOfUser(
  query: Query,
  accountId: string,
  userId: string,
): Promise<readonly HeldRole[]> {
  const rows = await listRolesOfUser(query, accountId, userId);
  return rows.length === 0 ? [withoutRole] : rows.map(heldRole);
}

/** Roles of a client of kind `service`; without roles it may do nothing. */
export async function rolesOfClient(
  query: Query,
  accountId: string,
  clientId: string,
): Promise<readonly HeldRole[]> {
  return (await listRolesOfClient(query, accountId, clientId)).map(heldRole);
}

/** An actor as far as permissions depend on it. */
export interface Caller {
  kind: string;
  accountId: string;
  clientId?: string;
  clientKind?: ClientKind;
  username?: string;
  master?: boolean;
  roles?: readonly HeldRole[];
  /** What a personal access token leaves of the rights of its user. */
  tokenRoles?: readonly HeldRole[];
}

/** Roles limit users other than the master, and clients of kind `service`; other clients and agents are limited elsewhere. */
const isLimited = ({ kind, master, clientKind }: Caller): boolean =>
  kind === 'client' ? clientKind === 'service' : kind === 'user' && master !== true;

const unlimited: Decision = { allowed: true, why: 'Roles do not limit this caller.' };

const notByToken = (decision: Decision): Decision =>
  decision.allowed ? decision : { ...decision, why: `The personal access token is limited. ${decision.why}` };

/**
 * Asks the roles of the user and, separately, what the token is limited to: both must allow. One decision over both would let a
 * token leave out a role that denies.
 */
function decideByRoles(caller: Caller, decideWith: (roles: readonly HeldRole[]) => Decision): Decision {
  if (!isLimited(caller)) return unlimited;
  const decision = decideWith(caller.roles ?? []);
  if (!decision.allowed || caller.tokenRoles === undefined) return decision;
  return notByToken(decideWith(caller.tokenRoles));
}

export const decideFor = (caller: Caller, request: Omit<AccessRequest, 'caller'>): Decision =>
  decideByRoles(caller, (roles) =>
    decide(roles, { ...request, caller: caller.username ?? caller.clientId ?? '' }),
  );

/** Decides whether the action is allowed on any resource. */
export const decideAtAll = (caller: Caller, action: string): Decision =>
  decideByRoles(caller, (roles) => mayAtAll(roles, action));

type PlacedStack = Pick<StackRow, 'id' | 'created_by' | 'vendor' | 'credential_id'>;

const dependencies = (vendor: string, credentialId: string): RequestedAction[] => [
  { action: 'cred:describeCredentials', resources: [credentialResource(vendor, credentialId)] },
  { action: 'vendor:describeVendors', resources: [vendorResource(vendor)] },
];

const requestOnStack = (action: string, stack: PlacedStack): Omit<AccessRequest, 'caller'> => ({
  action,
  resources: stackResources(stack.id),
  owner: stack.created_by,
  dependsOn: dependencies(stack.vendor, stack.credential_id),
});

const requestOnCredential = (
  action: string,
  { vendor, id }: { vendor: string; id: string },
): Omit<AccessRequest, 'caller'> => ({
  action,
  resources: [credentialResource(vendor, id)],
  dependsOn: [{ action: 'vendor:describeVendors', resources: [vendorResource(vendor)] }],
});

export const maySee = (caller: Caller, stack: PlacedStack): boolean =>
  !isLimited(caller) || decideFor(caller, requestOnStack('stack:describeStack', stack)).allowed;

/** A stack is listed if it may be listed and described. */
export const mayList = (caller: Caller, stack: PlacedStack): boolean =>
  !isLimited(caller) ||
  (decideFor(caller, requestOnStack('stack:describeStacks', stack)).allowed && maySee(caller, stack));

export const maySeeCredential = (caller: Caller, credential: { vendor: string; id: string }): boolean =>
  decideFor(caller, requestOnCredential('cred:describeCredentials', credential)).allowed;

/** Explains a denial: the missing permission, the reason, and what to do. */
export const noPermission = (action: string, { why }: Pick<Decision, 'why'>): string =>
  `You do not have permission for ${action}. ${why} Ask the master to change your roles.`;

/** The decision with the resource that a role would have to name; empty: there is no single one. */
const naming = (decision: Decision, resource: string): Decision =>
  decision.allowed || resource === ''
    ? decision
    : { ...decision, why: `The resource is ${resource}. ${decision.why}` };

export function refuseUnlessAllowed(action: string, decision: Decision, resource = ''): void {
  if (decision.allowed) return;
  throw new Failure('forbidden', 'RBAC response is limited.', {
    description: noPermission(action, naming(decision, resource)),
  });
}

/** The name of a stack in roles, as the statements for the action use it. */
const resourceFor = (action: string, stackId: string): string =>
  stackResources(stackId).find((name) => name.includes(`:${action.split(':')[0]}:`)) ?? '';

/** A stack that may not be seen may not be changed either. */
export function decideOnStack(caller: Caller, action: string, stack: PlacedStack): Decision {
  if (!isLimited(caller)) return unlimited;
  const seeing = decideFor(caller, requestOnStack('stack:describeStack', stack));
  if (!seeing.allowed) return { ...seeing, why: `Seeing the stack is not allowed. ${seeing.why}` };
  return naming(decideFor(caller, requestOnStack(action, stack)), resourceFor(action, stack.id));
}

export interface ActionOnStack {
  action: string;
  stackId: string;
}

export async function mayOnStack(
  query: Query,
  caller: Caller,
  { action, stackId }: ActionOnStack,
): Promise<boolean> {
  if (!isLimited(caller)) return true;
  const stack = await findStack(query, caller.accountId, stackId);
  return stack !== undefined && decideOnStack(caller, action, stack).allowed;
}

/** Throws `not_found` if the caller may not see the stack, `forbidden` if it may see but not change it. */
export async function requireOnStack(
  query: Query,
  caller: Caller,
  { action, stackId }: ActionOnStack,
): Promise<void> {
  if (!isLimited(caller)) return;
  const stack = await findStack(query, caller.accountId, stackId);
  if (!stack) return; // the operation itself reports this, with the same message
  if (!maySee(caller, stack)) throw notFound('Stack', stackId, { denied: true });
  refuseUnlessAllowed(action, decideOnStack(caller, action, stack));
}

const createAction = 'template:createAlmTemplate';

/** A new stack is owned by the user or API client that creates it. */
export function requireCreation(caller: Caller, stackId: string): void {
  const resources = stackResources(stackId);
  const owner = caller.username ?? caller.clientId;
  const decision = decideFor(caller, { action: createAction, resources, owner });
  refuseUnlessAllowed(createAction, decision);
}

/** A credential that may not be seen may not be used. */
export function requireUse(caller: Caller, vendor: string, credentialId: string): void {
  const decision = decideFor(caller, {
    action: createAction,
    resources: [],
    dependsOn: dependencies(vendor, credentialId),
  });
  refuseUnlessAllowed(createAction, decision, credentialResource(vendor, credentialId));
}

export function requireOnCredential(
  caller: Caller,
  action: 'cred:createCredential' | 'cred:deleteCredential',
  credential: { vendor: string; id: string },
): void {
  const decision = decideFor(caller, requestOnCredential(action, credential));
  if (!decision.allowed && !maySeeCredential(caller, credential))
    throw notFound(`Credential of vendor ${credential.vendor}`, credential.id, { denied: true });
  refuseUnlessAllowed(action, decision, credentialResource(credential.vendor, credential.id));
}
