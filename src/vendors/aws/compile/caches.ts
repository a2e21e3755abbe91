import { resourceSuffix } from '../../../model/names.ts';
import type { Cache, StackModel } from '../../../model/stack-model.ts';
import { cacheEngines } from '../catalog.ts';
import { takesSnapshots } from '../data-stores.ts';
import { type CompiledResource, ref } from '../document.ts';
import { decideCache } from '../layout/versions.ts';
import * as names from '../names.ts';
import { type Context, deletedWithStack, type Entry, keptAsSnapshot } from './context.ts';
import { groupId, innerSecurityGroup } from './traffic-rules.ts';

export const cacheSubnetGroup = ({ caches }: StackModel): Entry[] =>
  caches.length === 0
    ? []
    : [
        [
          names.cacheSubnets,
          {
            Type: 'AWS::ElastiCache::SubnetGroup',
            Properties: {
              Description: 'Where the caches of the stack are',
              SubnetIds: [1, 2].map((index) => ref(names.dataSubnet(index))),
            },
          },
        ],
      ];

export function cache(context: Context, model: Cache): Entry[] {
  const { name, engine } = model;
  const securityGroup = names.cacheSecurityGroup(name);
  const { version } = decideCache(model, context.choices.caches[name]);
  return [
    [securityGroup, innerSecurityGroup(context, `Cache ${resourceSuffix(name)}`, cacheEngines[engine].port)],
    [cacheName(context, model), resources[engine](model, version, securityGroup)],
  ];
}

/** The logical id. */
export const cacheName = ({ choices }: Context, { name }: Cache): string =>
  choices.caches[name]?.resource ?? names.cache(name);

type CacheResource = (cache: Cache, version: string, securityGroup: string) => CompiledResource;

/** A replication group even for one node, so that nodes can be added. Failover requires a second node. */
function redis({ name, nodeType, nodes }: Cache, version: string, securityGroup: string): CompiledResource {
  const { port } = cacheEngines.redis;
  return {
    Type: 'AWS::ElastiCache::ReplicationGroup',
    ...(takesSnapshots(nodeType) ? keptAsSnapshot : deletedWithStack),
    Properties: {
      ReplicationGroupDescription: `Cache ${resourceSuffix(name)}`,
      Engine: 'redis',
      ...(version === '' ? {} : { EngineVersion: version }),
      CacheNodeType: nodeType,
      NumCacheClusters: nodes,
      AutomaticFailoverEnabled: nodes > 1,
      MultiAZEnabled: nodes > 1,
      AtRestEncryptionEnabled: true,
      // Containers get only an address and a port, and most clients then connect without TLS.
      TransitEncryptionEnabled: false,
      AutoMinorVersionUpgrade: true,
      Port: port,
      CacheSubnetGroupName: ref(names.cacheSubnets),
      SecurityGroupIds: [groupId(securityGroup)],
    },
  };
}

/** Equal nodes behind one address. */
function memcached({ nodeType, nodes }: Cache, version: string, securityGroup: string): CompiledResource {
  const { port } = cacheEngines.memcached;
  return {
    Type: 'AWS::ElastiCache::CacheCluster',
    ...deletedWithStack,
    Properties: {
      Engine: 'memcached',
      ...(version === '' ? {} : { EngineVersion: version }),
      CacheNodeType: nodeType,
      NumCacheNodes: nodes,
      AZMode: nodes > 1 ? 'cross-az' : 'single-az',
      AutoMinorVersionUpgrade: true,
      Port: port,
      CacheSubnetGroupName: ref(names.cacheSubnets),
      VpcSecurityGroupIds: [groupId(securityGroup)],
    },
  };
}

const resources: Readonly<Record<Cache['engine'], CacheResource>> = { redis, memcached };
