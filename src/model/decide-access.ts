import { actionsOnOwnedStacks, listedAction, splitVendor } from './actions.ts';
import { compileScope, type Rule, type Rules } from './compile-scope.ts';
import type { Scope } from './role-scope.ts';
import { type Effect, theCaller } from './scope-statement.ts';

/** A role of whoever is asking. */
export interface HeldRole {
  readonly roleId: string;
  readonly name: string;
  readonly scope: Scope;
}

export interface Asked {
  readonly action: string;
  /** Every name of the one resource; a statement about any of them counts. None: a call about no one resource. */
  readonly resources: readonly string[];
}

export interface AccessRequest extends Asked {
  /** Whose the resource is. */
  readonly owner?: string | undefined;
  readonly caller: string;
  /** What the resource is built with: a stack with a credential, a credential with a vendor. */
  readonly dependsOn?: readonly Asked[];
}

export interface Decision {
  readonly allowed: boolean;
  /** A sentence for people. */
  readonly why: string;
  /** The statement that decided. */
  readonly by?: { readonly roleId: string; readonly statement: number; readonly effect: Effect };
}

interface Found {
  role: HeldRole;
  rule: Rule;
}

type Parties = Pick<AccessRequest, 'owner' | 'caller'>;

const nothingAllows: Decision = { allowed: false, why: 'No statement of a role allows it.' };

const decided = (allowed: boolean, { role, rule }: Found, words: string): Decision => ({
  allowed,
  why: `Statement ${rule.statement} of role "${role.name}" ${words}.`,
  by: { roleId: role.roleId, statement: rule.statement, effect: rule.effect },
});

const vendorOf = ({ action, resources }: Asked): string | null => {
  const { vendor } = splitVendor(action);
  if (vendor !== null) return vendor;
  const named = resources.find((resource) => resource.startsWith('mrn:vendor:'));
  return named?.split(':')[2] ?? null;
};

/** Where no vendor is named, a rule for one vendor is taken as if it had not named it. */
const vendorFits = ({ vendors }: Rule, vendor: string | null): boolean =>
  vendors === null || vendor === null || vendors.some((fits) => fits(vendor));

const ownerFits = ({ owners }: Rule, { owner, caller }: Parties): boolean =>
  owners === null ||
  (owner !== undefined && owners.some((name) => (name === theCaller ? caller : name) === owner));

const find = (
  roles: readonly HeldRole[],
  asked: Asked,
  choose: (rules: Rules) => readonly Rule[],
): Found[] => {
  const action = listedAction(asked.action);
  const vendor = vendorOf(asked);
  return roles.flatMap((role) =>
    choose(compileScope(role.scope).about(action))
      .filter((rule) => vendorFits(rule, vendor))
      .map((rule) => ({ role, rule })),
  );
};

const about = (roles: readonly HeldRole[], asked: Asked): Found[] =>
  find(roles, asked, (rules) => asked.resources.flatMap((resource) => rules.on(resource)));

const isDeny = ({ rule }: Found): boolean => rule.effect === 'Deny';
const isAllow = ({ rule }: Found): boolean => rule.effect === 'Allow';

/** For a call about no one resource, such as a list: is there anything at all it is allowed on? */
export const mayAtAll = (roles: readonly HeldRole[], action: string): Decision => {
  const asked = { action, resources: [] };
  const vendor = vendorOf(asked);
  // A deny with a condition, or for one vendor of several, takes things out of a list but does not refuse it.
  const deny = find(roles, asked, (rules) => rules.onEverything).find(
    (found) =>
      isDeny(found) && found.rule.owners === null && (found.rule.vendors === null || vendor !== null),
  );
  if (deny) return decided(false, deny, 'denies it on everything');
  const allow = find(roles, asked, (rules) => rules.all).find(isAllow);
  return allow ? decided(true, allow, 'allows it') : nothingAllows;
};

/** Of several statements that allow it, those with a condition count alone: they narrow what the plain ones say. */
const decideByAllows = (allows: readonly Found[], action: string, parties: Parties): Decision => {
  const narrowing = actionsOnOwnedStacks.includes(action)
    ? allows.filter(({ rule }) => rule.owners !== null)
    : [];
  const deciding = narrowing.length > 0 ? narrowing : allows;
  const allow = deciding.find(({ rule }) => ownerFits(rule, parties));
  if (allow) return decided(true, allow, 'allows it');
  const [narrow] = narrowing;
  return narrow ? decided(false, narrow, 'allows it only on what certain users own') : nothingAllows;
};

const decideOnResource = (roles: readonly HeldRole[], request: AccessRequest): Decision => {
  const found = about(roles, request);
  const deny = found.find((each) => isDeny(each) && ownerFits(each.rule, request));
  if (deny) return decided(false, deny, 'denies it');
  return decideByAllows(found.filter(isAllow), listedAction(request.action), request);
};

/**
 * Whether somebody with these roles may do it. Nothing is allowed unless a statement says so, and one that denies
 * wins over any number that allow; the order of roles and statements makes no difference.
 */
export const decide = (roles: readonly HeldRole[], request: AccessRequest): Decision => {
  const { action, resources, dependsOn = [] } = request;
  const decision = resources.length > 0 ? decideOnResource(roles, request) : mayAtAll(roles, action);
  if (!decision.allowed) return decision;
  const deny = dependsOn
    .flatMap((asked) => about(roles, asked))
    .find((each) => isDeny(each) && ownerFits(each.rule, request));
  return deny ? decided(false, deny, 'denies what it is built with') : decision;
};
