import { architecture, balancer, balancerOf, healthOf, listener, listenerOf, type Mistake } from './draft.ts';

const rds = 'configurations/2/provision/rds';
const cache = 'configurations/2/provision/elasticache';
const health = `${balancer}/health_check`;

export const alicloudBalancers: Mistake[] = [
  {
    what: 'a target that is encrypted again',
    make: (model) => void (listenerOf(model).instanceProtocol = 'https'),
    v3: `${listener}/instance_protocol`,
    v2: architecture,
  },
  {
    what: 'a load balancer with the security group of another layer',
    make: (model) => {
      model.layers.push({
        ...structuredClone(model.layers[0]!),
        flag: 'Other',
        subnet: { cidr: '10.0.77.0/24', public: true, assignPublicIp: true },
        capacity: { kind: 'fixed', count: 0 },
        loadBalancer: null,
      });
      balancerOf(model).securityGroupsOf = ['Other'];
    },
    v3: `${balancer}/security_groups`,
    v2: architecture,
  },
  ...(
    [
      ['healthyThreshold', 11, 'healthy_threshold'],
      ['intervalSeconds', 60, 'interval'],
      ['target', 'x', 'target'],
      ['target', 'HTTPS:443/', 'target'],
    ] as const
  ).map(
    ([member, value, name]): Mistake => ({
      what: `an invalid ${member}, ${value}`,
      make: (model) => void Object.assign(healthOf(model), { [member]: value }),
      v3: `${health}/${name}`,
      v2: architecture,
    }),
  ),
];

const inDatabase = (what: string, changes: object, paths: readonly [v3: string, v2: string]): Mistake => ({
  what,
  make: ({ databases }) => void Object.assign(databases[0]!, changes),
  v3: `${rds}/${paths[0]}`,
  v2: `configurations/database/0/${paths[1]}`,
});

export const alicloudServices: Mistake[] = [
  inDatabase('a class of another cloud', { instanceType: 'db.r5.large' }, ['db_instance_type', 'dbtype']),
  inDatabase('a version that RDS does not have', { engineVersion: '9.9' }, ['version', 'engine']),
  inDatabase('storage between two steps', { storageGib: 22 }, ['storage', 'DBStorage']),
  inDatabase('a database that shrinks', { storageGib: 25 }, ['storage', 'DBStorage']),
  inDatabase('more storage than replicas have', { storageGib: 3005, replicas: 1 }, ['storage', 'DBStorage']),
  ...(
    [
      ['a cache of another cloud', { nodeType: 'cache.r5.large' }],
      ['a cache of another cloud with read replicas', { nodeType: 'cache.r5.large', nodes: 3 }],
      ['a cache without read replicas', { nodeType: 'redis.master.small.default', nodes: 3 }],
    ] as const
  ).map(
    ([what, changes]): Mistake => ({
      what,
      make: ({ caches }) => void Object.assign(caches[0]!, changes),
      v3: `${cache}/node_type`,
      v2: 'configurations/elasticache/0/elasticachenodetype',
    }),
  ),
  {
    what: 'caches whose names together make one',
    make: ({ caches }) => void caches.push({ ...caches[0]!, name: `Whitelist${caches[0]!.name}` }),
    v3: 'configurations/0/provision/elasticache',
    v2: 'configurations/elasticache',
  },
  {
    what: 'a stack that is too large',
    make: ({ caches }) =>
      void caches.push(
        ...Array.from({ length: 6 }, (_, index) => ({
          name: `many${index}`,
          engine: 'memcached' as const,
          nodeType: 'memcache.master.small.default',
          nodes: 20,
        })),
      ),
    v3: 'configurations',
    v2: 'configurations',
  },
  ...(
    [
      ['a tag with a reserved name', { 'aliyun-x': 'y' }],
      ['too many tags', Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`tag${index}`, 'x']))],
    ] as const
  ).map(
    ([what, tags]): Mistake => ({
      what,
      make: (model) => void (model.tags = tags),
      v3: 'tags',
      // Documents of v2 have no tags.
      v2: '',
    }),
  ),
];
