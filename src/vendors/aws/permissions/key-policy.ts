import { listedRights } from './calls.ts';
import type { Feature, OptionalFeature } from './features.ts';
import { allow, isContained, type Policy, type PolicyStatement, policyOf } from './policy.ts';
import { type ResourceType, resourceTypes } from './resource-types.ts';
import { areaOf } from './role-areas.ts';
import { type Partition, type Scope, scopedTo, scopes } from './scopes.ts';

export interface PolicyInput {
  partition: Partition;
  features: readonly OptionalFeature[];
}

export interface KeyPolicyInput extends PolicyInput {
  /** The role that CloudFormation uses; null: the key needs the policy of the role too. */
  roleArn: string | null;
}

/** One permission of the key, and what it is needed for. */
interface Needed {
  action: string;
  scope: Scope;
  feature: Feature;
}

/** The resource types that stacks with these features have. */
export const typesWith = (features: readonly Feature[]): readonly ResourceType[] =>
  (Object.keys(resourceTypes) as ResourceType[]).filter((type) =>
    resourceTypes[type].areas.every((area) => features.includes(areaOf(area).feature)),
  );

/** Reads that AWS can limit to resources of Almanac stacks. */
const readScopes: readonly [prefix: string, scope: Scope][] = [
  ['iam:', 'serverRoles'],
  ['secretsmanager:', 'ownResources'],
];

const readScope = (action: string): Scope =>
  readScopes.find(([prefix]) => action.startsWith(prefix))?.[1] ?? 'everything';

/** In a drift check, CloudFormation reads each resource with the permissions of the key. */
const driftReads = (features: readonly Feature[]): Needed[] =>
  typesWith(features)
    .flatMap((type) => resourceTypes[type].reads)
    .map((action) => ({ action, scope: readScope(action), feature: 'drift' }));

/** Every permission of a key with these features. */
export function neededRights(optional: readonly OptionalFeature[]): Needed[] {
  const features: readonly Feature[] = ['stacks', ...optional];
  const ofCalls = listedRights().filter(({ feature }) => features.includes(feature));
  return [...ofCalls, ...(features.includes('drift') ? driftReads(features) : [])];
}

/** The policy of the key that is saved in Almanac. One statement for each scope. */
export function keyPolicy({ partition, roleArn, features }: KeyPolicyInput): Policy {
  const needed = neededRights(features);
  const everywhere = actionsIn(needed, 'everything');
  const statements = (Object.keys(scopes) as Scope[]).flatMap((scope): PolicyStatement[] => {
    if (scope === 'cloudFormationRole' && roleArn === null) return [];
    const own = actionsIn(needed, scope);
    const actions = [...own].filter(
      (action) =>
        !isContained(action, [...own, ...everywhere]) && (scope === 'everything' || !everywhere.has(action)),
    );
    return actions.length === 0
      ? []
      : [allow({ ...scopedTo(scope, { partition, roleArn: roleArn ?? '' }), actions })];
  });
  return policyOf(statements);
}

const actionsIn = (needed: readonly Needed[], scope: Scope): ReadonlySet<string> =>
  new Set(needed.filter((one) => one.scope === scope).map(({ action }) => action));
