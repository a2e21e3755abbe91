import { calls, type Right, type Scope } from './calls.ts';
import { roleActions, secretReads } from './role-actions.ts';

interface Statement {
  Effect: 'Allow';
  Action: readonly string[];
  Resource: readonly string[];
}

/** A document of RAM. */
export interface Policy<One = Statement> {
  Version: '1';
  Statement: readonly One[];
}

const resources: Readonly<Record<Scope, readonly string[]>> = {
  everything: ['*'],
  ownSecrets: ['acs:oos:*:*:secretparameter/almanac/*'],
};
const ownSecretsInKms = 'acs:kms:*:*:secret/*almanac/*';

/** RAM calls the service of caches by another name. */
const prefixOf = (service: string): string => (service === 'r-kvstore' ? 'kvstore' : service);

/** One call with the permission it needs. */
export interface ListedRight extends Right {
  action: string;
}

const table: Readonly<Record<string, Readonly<Record<string, Right>>>> = calls;

/** The permissions of all calls. Every key may ask who it is. */
export const listedRights = (): ListedRight[] =>
  Object.entries(table)
    .filter(([service]) => service !== 'sts')
    .flatMap(([service, actions]) =>
      Object.entries(actions).map(([action, { purpose, scope }]) => ({
        action: `${prefixOf(service)}:${action}`,
        purpose,
        scope,
      })),
    );

const allow = (Action: readonly string[], Resource: readonly string[]): Statement => ({
  Effect: 'Allow',
  Action: [...new Set(Action)].toSorted(),
  Resource,
});

const actionsIn = (scope: Scope): string[] =>
  listedRights()
    .filter((right) => right.scope === scope)
    .map(({ action }) => action);

/** The policy of the key that is saved in Almanac. `role`: the RAM role that ROS uses; null: the key needs the role's policy too. */
export const keyPolicy = (role: string | null): Policy => ({
  Version: '1',
  Statement: [
    allow(actionsIn('everything'), resources.everything),
    allow(actionsIn('ownSecrets'), resources.ownSecrets),
    ...(role === null ? [] : [allow(['ram:PassRole'], [`acs:ram::*:role/${role}`])]),
  ],
});

/** The policy of the role with which ROS makes the resources of stacks. */
export const rolePolicy = (): Policy => ({
  Version: '1',
  Statement: [
    allow(Object.values(roleActions).flat(), resources.everything),
    allow(secretReads, [...resources.ownSecrets, ownSecretsInKms]),
  ],
});

export const trustPolicy = (): Policy<object> => ({
  Version: '1',
  Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: ['ros.aliyuncs.com'] } }],
});
