import { actionsWithOwner, canonicalAction, splitVendor } from './actions.ts';
import { compileScope, type Rule, type Rules } from './compile-scope.ts';
import type { Scope } from './role-scope.ts';
import { callerName, type Effect } from './scope-statement.ts';

/** A role of the caller. */
export interface HeldRole {
  readonly roleId: string;
  readonly name: string;
  readonly scope: Scope;
}

export interface RequestedAction {
  readonly action: string;
  /** All names of one resource; a statement about any of them applies. Empty: an action on no single resource. */
  readonly resources: readonly string[];
}

export interface AccessRequest extends RequestedAction {
  /** Owner of the resource. */
  readonly owner?: string | undefined;
  readonly caller: string;
  /** What the resource depends on: a stack on a credential, a credential on a vendor. */
  readonly dependsOn?: readonly RequestedAction[];
}

export interface Decision {
  readonly allowed: boolean;
  /** The reason as a sentence. */
  readonly why: string;
  /** The deciding statement. */
  readonly by?: { readonly roleId: string; readonly statement: number; readonly effect: Effect };
}

interface Match {
  role: HeldRole;
  rule: Rule;
}

type Parties = Pick<AccessRequest, 'owner' | 'caller'>;

const nothingAllows: Decision = { allowed: false, why: 'No statement of a role allows it.' };

const decided = (allowed: boolean, { role, rule }: Match, effect: string): Decision => ({
  allowed,
  why: `Statement ${rule.statement} of role "${role.name}" ${effect}.`,
  by: { roleId: role.roleId, statement: rule.statement, effect: rule.effect },
});

const vendorOf = ({ action, resources }: RequestedAction): string | null => {
  const { vendor } = splitVendor(action);
  if (vendor !== null) return vendor;
  const named = resources.find((resource) => resource.startsWith('mrn:vendor:'));
  return named?.split(':')[2] ?? null;
};

/** When the request names no vendor, a rule's limit to vendors is ignored. */
const matchesVendor = ({ vendors }: Rule, vendor: string | null): boolean =>
  vendors === null || vendor === null || vendors.some((matches) => matches(vendor));

const matchesOwner = ({ owners }: Rule, { owner, caller }: Parties): boolean =>
  owners === null ||
  (owner !== undefined && owners.some((name) => (name === callerName ? caller : name) === owner));

const find = (
  roles: readonly HeldRole[],
  requested: RequestedAction,
  choose: (rules: Rules) => readonly Rule[],
): Match[] => {
  const action = canonicalAction(requested.action);
  const vendor = vendorOf(requested);
  return roles.flatMap((role) =>
    choose(compileScope(role.scope).about(action))
      .filter((rule) => matchesVendor(rule, vendor))
      .map((rule) => ({ role, rule })),
  );
};

const about = (roles: readonly HeldRole[], requested: RequestedAction): Match[] =>
  find(roles, requested, (rules) => requested.resources.flatMap((resource) => rules.on(resource)));

const isDeny = ({ rule }: Match): boolean => rule.effect === 'Deny';
const isAllow = ({ rule }: Match): boolean => rule.effect === 'Allow';

/** Decides an action on no single resource, such as a list: whether it is allowed on any resource. */
export const mayAtAll = (roles: readonly HeldRole[], action: string): Decision => {
  const requested = { action, resources: [] };
  const vendor = vendorOf(requested);
  // A deny with a condition, or for one of several vendors, filters a list but does not reject it.
  const deny = find(roles, requested, (rules) => rules.onEverything).find(
    (found) =>
      isDeny(found) && found.rule.owners === null && (found.rule.vendors === null || vendor !== null),
  );
  if (deny) return decided(false, deny, 'denies it on all resources');
  const allow = find(roles, requested, (rules) => rules.all).find(isAllow);
  return allow ? decided(true, allow, 'allows it') : nothingAllows;
};

/** If any allow statement has a condition, only those with one apply: they narrow the unconditional ones. */
const decideByAllows = (allows: readonly Match[], action: string, parties: Parties): Decision => {
  const conditional = actionsWithOwner.includes(action)
    ? allows.filter(({ rule }) => rule.owners !== null)
    : [];
  const deciding = conditional.length > 0 ? conditional : allows;
  const allow = deciding.find(({ rule }) => matchesOwner(rule, parties));
  if (allow) return decided(true, allow, 'allows it');
  const [first] = conditional;
  return first ? decided(false, first, 'allows it only for certain owners') : nothingAllows;
};

const decideOnResource = (roles: readonly HeldRole[], request: AccessRequest): Decision => {
  const found = about(roles, request);
  const deny = found.find((each) => isDeny(each) && matchesOwner(each.rule, request));
  if (deny) return decided(false, deny, 'denies it');
  return decideByAllows(found.filter(isAllow), canonicalAction(request.action), request);
};

/**
 * Decides whether a caller with these roles may perform an action. Nothing is allowed unless a statement allows it, and a
 * deny wins over any number of allows; the order of roles and statements does not matter.
 */
export const decide = (roles: readonly HeldRole[], request: AccessRequest): Decision => {
  const { action, resources, dependsOn = [] } = request;
  const decision = resources.length > 0 ? decideOnResource(roles, request) : mayAtAll(roles, action);
  if (!decision.allowed) return decision;
  const deny = dependsOn
    .flatMap((requested) => about(roles, requested))
    .find((each) => isDeny(each) && matchesOwner(each.rule, request));
  return deny ? decided(false, deny, 'denies a resource that it depends on') : decision;
};
