import { at, type Problem } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { AlicloudDocument, ResourceType } from '../document.ts';
import * as names from '../names.ts';
import { replacingMembers } from '../preview.ts';
import { mayBeReplaced } from '../updatable.ts';

/** What would be lost, and where the model says what the member is made from: relative to the part, by member. */
interface Protected {
  message: string;
  origins: Readonly<Record<string, string>>;
}

const would = (thing: string, result: string): string =>
  `Alibaba Cloud would delete the ${thing} and make ${result}. Keep this value, or name a new one instead.`;

const database: Protected = {
  message: would('database', 'an empty one'),
  origins: {
    Engine: 'engine',
    EngineVersion: 'engineVersion',
    SlaveZoneIds: 'multiZone',
    VSwitchId: 'multiZone',
  },
};
const cache: Protected = {
  message: would('cache', 'an empty one'),
  origins: {
    NodeType: 'nodes',
    ReadOnlyCount: 'nodes',
    ShardCount: 'nodes',
    InstanceClass: 'nodeType',
  },
};

const protections: Readonly<Partial<Record<ResourceType, Protected>>> = {
  'ALIYUN::ECS::VPC': {
    message:
      'Alibaba Cloud would delete the network with everything in it. Keep its block, or make a new stack instead.',
    origins: {},
  },
  'ALIYUN::ECS::VSwitch': {
    message: would('subnet, with everything in it,', 'another one'),
    origins: { CidrBlock: 'subnet/cidr', ZoneId: 'zone' },
  },
  'ALIYUN::SLB::LoadBalancer': {
    message: would('load balancer', 'one with another address'),
    origins: { AddressType: 'loadBalancer/scheme', VSwitchId: 'loadBalancer/subnetsOf' },
  },
  'ALIYUN::RDS::DBInstance': database,
  'ALIYUN::RDS::ReadOnlyDBInstance': database,
  'ALIYUN::REDIS::Instance': cache,
  'ALIYUN::Memcache::Instance': cache,
};

/** Parts of the model by the resources that are made from them. */
function partsOf({ layers, databases, caches }: StackModel): Map<string, string> {
  const memcachedIn = (name: string, nodes: number): string[] =>
    Array.from({ length: nodes }, (_, index) => names.memcached(name, index + 1));
  return new Map([
    ...layers.flatMap(({ flag }, index): [string, string][] =>
      [names.subnet(flag), names.loadBalancer(flag)].map((id) => [id, at('layers', index)]),
    ),
    ...databases.map(({ name }, index): [string, string] => [names.database(name), at('databases', index)]),
    ...caches.flatMap(({ name, nodes }, index): [string, string][] =>
      [names.redis(name), ...memcachedIn(name, nodes)].map((id) => [id, at('caches', index)]),
    ),
  ]);
}

/**
 * Changes that would replace something that must not be lost. Those that follow from another change are not reported: a
 * replica is replaced with its primary.
 */
export function replacementProblems(
  model: StackModel,
  before: AlicloudDocument,
  after: AlicloudDocument,
): Problem[] {
  const parts = partsOf(model);
  const found = Object.entries(after.template.Resources).flatMap(([name, resource]) => {
    const existing = before.template.Resources[name];
    if (!existing || (mayBeReplaced(existing.Type) && mayBeReplaced(resource.Type))) return [];
    return replacingMembers(existing, resource).map((member): Problem => {
      const { message = '', origins = {} } = protections[existing.Type] ?? {};
      const part = parts.get(name);
      const path = part === undefined ? 'networkCidr' : at(part, origins[member] ?? '');
      return {
        path,
        message: message || `Alibaba Cloud would delete ${name} and make another one. Keep its ${member}.`,
      };
    });
  });
  return [...new Map(found.map((problem) => [problem.path, problem])).values()];
}
