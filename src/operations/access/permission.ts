import { Failure, notFound } from '../../basics/failure.ts';
import { credentialResource, stackResources, vendorResource } from '../../model/actions.ts';
import {
  type AccessRequest,
  type Decision,
  decide,
  type HeldRole,
  mayAtAll,
  type RequestedAction,
} from '../../model/decide-access.ts';
import { defaultUserScope, parseScope, type Scope } from '../../model/role-scope.ts';
import { listRolesOfUser } from '../../store/access/user-roles.ts';
import type { Query } from '../../store/database/database.ts';
import { findStack, type StackRow } from '../../store/stacks/stacks.ts';

/** Reading a scope is dear and gives the same every time, so the latest are kept. */
const parsedScopes = new Map<string, Scope>();
const maxKept = 1000;

function scopeOf(text: string): Scope {
  const kept = parsedScopes.get(text);
  if (kept) return kept;
  const parsed = parseScope(text);
  // Only what parses is ever stored; if it does not all the same, it allows nothing.
  const scope = parsed.ok ? parsed.value.scope : { version: '', statements: [] };
  if (parsedScopes.size >= maxKept) parsedScopes.clear();
  parsedScopes.set(text, scope);
  return scope;
}

const withoutRole: HeldRole = { roleId: '', name: 'default', scope: defaultUserScope };

/** The roles of a user who is not the master; one without any has the default. */
export async function rolesOfUser(
  query: Query,
  accountId: string,
  userId: string,
): Promise<readonly HeldRole[]> {
  const rows = await listRolesOfUser(query, accountId, userId);
  if (rows.length === 0) return [withoutRole];
  return rows.map(({ id, name, scope }) => ({ roleId: id, name, scope: scopeOf(scope) }));
}

/** Whoever asks; of the actors, only users hold roles. */
export interface Caller {
  kind: string;
  accountId: string;
  username?: string;
  master?: boolean;
  roles?: readonly HeldRole[];
}

/** Roles bind only users who are not the master: API clients and agents have limits of their own. */
const isBound = (caller: Caller): boolean => caller.kind === 'user' && caller.master !== true;

const everything: Decision = { allowed: true, why: 'Nothing limits this caller here.' };

export function decideFor(caller: Caller, request: Omit<AccessRequest, 'caller'>): Decision {
  return isBound(caller)
    ? decide(caller.roles ?? [], { ...request, caller: caller.username ?? '' })
    : everything;
}

/** Whether there is anything at all that the action may be done to. */
export const decideAtAll = (caller: Caller, action: string): Decision =>
  isBound(caller) ? mayAtAll(caller.roles ?? [], action) : everything;

type PlacedStack = Pick<StackRow, 'id' | 'created_by' | 'vendor' | 'credential_id'>;

const dependencies = (vendor: string, credentialId: string): RequestedAction[] => [
  { action: 'cred:describeCredentials', resources: [credentialResource(vendor, credentialId)] },
  { action: 'vendor:describeVendors', resources: [vendorResource(vendor)] },
];

/** What roles may ask about a stack. */
export const askedOfStack = (action: string, stack: PlacedStack): Omit<AccessRequest, 'caller'> => ({
  action,
  resources: stackResources(stack.id),
  owner: stack.created_by,
  dependsOn: dependencies(stack.vendor, stack.credential_id),
});

export const maySee = (caller: Caller, stack: PlacedStack): boolean =>
  decideFor(caller, askedOfStack('stack:describeStack', stack)).allowed;

/** Listed is what may be listed and looked at. */
export const mayList = (caller: Caller, stack: PlacedStack): boolean =>
  decideFor(caller, askedOfStack('stack:describeStacks', stack)).allowed && maySee(caller, stack);

export const maySeeCredential = (caller: Caller, credential: { vendor: string; id: string }): boolean =>
  decideFor(caller, {
    action: 'cred:describeCredentials',
    resources: [credentialResource(credential.vendor, credential.id)],
    dependsOn: [{ action: 'vendor:describeVendors', resources: [vendorResource(credential.vendor)] }],
  }).allowed;

export const refuse = (decision: Decision): never => {
  throw new Failure('forbidden', 'RBAC response is limited.', {
    description: `${decision.why} Ask the master account for a role that allows it.`,
  });
};

/** What may not be seen may not be touched either. */
export function decideOnStack(caller: Caller, action: string, stack: PlacedStack): Decision {
  const seeing = decideFor(caller, askedOfStack('stack:describeStack', stack));
  if (!seeing.allowed) return { ...seeing, why: `The stack may not even be seen. ${seeing.why}` };
  return decideFor(caller, askedOfStack(action, stack));
}

export async function mayOnStack(
  query: Query,
  caller: Caller,
  action: string,
  stackId: string,
): Promise<boolean> {
  if (!isBound(caller)) return true;
  const stack = await findStack(query, caller.accountId, stackId);
  return stack !== undefined && decideOnStack(caller, action, stack).allowed;
}

/** What the caller may not know of is not there; what it may see but not touch is refused. */
export async function requireOnStack(
  query: Query,
  caller: Caller,
  action: string,
  stackId: string,
): Promise<void> {
  if (!isBound(caller)) return;
  const stack = await findStack(query, caller.accountId, stackId);
  if (!stack) return; // the operation says so itself, in the same words
  if (!maySee(caller, stack)) throw notFound('Stack', stackId, { denied: true });
  const decision = decideOnStack(caller, action, stack);
  if (!decision.allowed) refuse(decision);
}

/** A stack that is about to be made belongs to whoever makes it. */
export function requireCreation(caller: Caller, stackId: string): void {
  const resources = stackResources(stackId);
  const decision = decideFor(caller, {
    action: 'template:createAlmTemplate',
    resources,
    owner: caller.username,
  });
  if (!decision.allowed) refuse(decision);
}

/** Whoever may not see a credential may not build with it. */
export function requireUse(caller: Caller, vendor: string, credentialId: string): void {
  const decision = decideFor(caller, {
    action: 'template:createAlmTemplate',
    resources: [],
    dependsOn: dependencies(vendor, credentialId),
  });
  if (!decision.allowed) refuse(decision);
}

export function requireOnCredential(
  caller: Caller,
  action: 'cred:createCredential' | 'cred:deleteCredential',
  { vendor, id }: { vendor: string; id: string },
): void {
  const decision = decideFor(caller, {
    action,
    resources: [credentialResource(vendor, id)],
    dependsOn: [{ action: 'vendor:describeVendors', resources: [vendorResource(vendor)] }],
  });
  if (decision.allowed) return;
  if (!maySeeCredential(caller, { vendor, id }))
    throw notFound(`Credential of vendor ${vendor}`, id, { denied: true });
  refuse(decision);
}
