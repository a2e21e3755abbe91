import { resourceSuffix } from '../../../model/names.ts';
import type { Cache, StackModel } from '../../../model/stack-model.ts';
import { cacheEngines } from '../catalog.ts';
import { ref } from '../document.ts';
import { decideCache } from '../layout/versions.ts';
import * as names from '../names.ts';
import { groupId, innerSecurityGroup } from './borders.ts';
import { type Context, type Entry, goneWithStack } from './context.ts';

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

export function cache(context: Context, asked: Cache): Entry[] {
  const guard = names.cacheSecurityGroup(asked.name);
  const { port } = cacheEngines[asked.engine];
  const { version } = decideCache(asked, context.choices.caches[asked.name]);
  return [
    [guard, innerSecurityGroup(context, `Cache ${resourceSuffix(asked.name)}`, port)],
    asked.engine === 'redis' ? redis(asked, version, guard) : memcached(asked, version, guard),
  ];
}

/** A group even for one node, so that nodes can be added. Another takes over only where there is another. */
function redis({ name, nodeType, nodes }: Cache, version: string, guard: string): Entry {
  const { port } = cacheEngines.redis;
  return [
    names.cache(name),
    {
      Type: 'AWS::ElastiCache::ReplicationGroup',
      ...goneWithStack,
      Properties: {
        ReplicationGroupDescription: `Cache ${resourceSuffix(name)}`,
        Engine: 'redis',
        EngineVersion: version,
        CacheNodeType: nodeType,
        NumCacheClusters: nodes,
        AutomaticFailoverEnabled: nodes > 1,
        MultiAZEnabled: nodes > 1,
        AtRestEncryptionEnabled: true,
        // Containers are told an address and a port: most clients then speak plainly.
        TransitEncryptionEnabled: false,
        AutoMinorVersionUpgrade: true,
        Port: port,
        CacheSubnetGroupName: ref(names.cacheSubnets),
        SecurityGroupIds: [groupId(guard)],
      },
    },
  ];
}

/** Nodes that are all alike, behind one address. */
function memcached({ name, nodeType, nodes }: Cache, version: string, guard: string): Entry {
  const { port } = cacheEngines.memcached;
  return [
    names.cache(name),
    {
      Type: 'AWS::ElastiCache::CacheCluster',
      ...goneWithStack,
      Properties: {
        Engine: 'memcached',
        EngineVersion: version,
        CacheNodeType: nodeType,
        NumCacheNodes: nodes,
        AZMode: nodes > 1 ? 'cross-az' : 'single-az',
        AutoMinorVersionUpgrade: true,
        Port: port,
        CacheSubnetGroupName: ref(names.cacheSubnets),
        VpcSecurityGroupIds: [groupId(guard)],
      },
    },
  ];
}
