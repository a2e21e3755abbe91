import type { Cache } from '../../../model/stack-model.ts';
import { type Properties, type ResourceType, ref } from '../document.ts';
import { hasReadReplicas } from '../layout/service-classes.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

export const cache = (context: Context, model: Cache): Entry[] =>
  model.engine === 'redis' ? redis(context, model) : memcached(context, model);

/** Without a password inside the network: containers get only an address and a port. */
const placeOf = ({ choices }: Context): Properties => ({
  VpcId: ref(names.network),
  VSwitchId: ref(names.dataSubnet(1)),
  ZoneId: choices.places[names.dataSubnet(1)] ?? '',
  VpcPasswordFree: true,
  ChargeType: 'PostPaid',
});

/** One node; a primary with a standby; or a primary with read replicas. ROS cannot change one form to another. */
const formOf = (model: Cache): Properties => {
  if (hasReadReplicas(model)) return { ShardCount: 1, ReadOnlyCount: model.nodes - 1 };
  return model.nodes === 1 ? { NodeType: 'STAND_ALONE' } : {};
};

const redis = (context: Context, model: Cache): Entry[] => [
  [
    names.redis(model.name),
    {
      Type: 'ALIYUN::REDIS::Instance',
      Properties: {
        EngineVersion: context.choices.caches[model.name]?.version ?? '',
        InstanceClass: model.nodeType,
        ...formOf(model),
        ...placeOf(context),
        // Otherwise a deleted one stays in a recycle bin, and in the network.
        DeletionForce: true,
      },
    },
  ],
  whitelist(context, 'ALIYUN::REDIS::Whitelist', [names.redisWhitelist(model.name), names.redis(model.name)]),
];

/** Who may connect: the network of the stack. */
const whitelist = (
  { model }: Context,
  Type: ResourceType,
  [id, instance]: readonly [string, string],
): Entry => [
  id,
  {
    Type,
    Properties: {
      InstanceId: ref(instance),
      SecurityIps: model.networkCidr,
      SecurityIpGroupName: 'almanac',
    },
  },
];

/** Independent nodes, counted from 1. */
const memcached = (context: Context, { name, nodeType, nodes }: Cache): Entry[] =>
  Array.from({ length: nodes }, (_, index): Entry[] => [
    [
      names.memcached(name, index + 1),
      {
        Type: 'ALIYUN::Memcache::Instance',
        Properties: { InstanceClass: nodeType, NetworkType: 'VPC', ...placeOf(context) },
      },
    ],
    whitelist(context, 'ALIYUN::Memcache::Whitelist', [
      names.memcachedWhitelist(name, index + 1),
      names.memcached(name, index + 1),
    ]),
  ]).flat();
