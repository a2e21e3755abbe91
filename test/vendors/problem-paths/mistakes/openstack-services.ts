import { architecture, balancer, healthOf, layerOf, type Mistake } from './draft.ts';

const rds = 'configurations/2/provision/rds';
const health = `${balancer}/health_check`;

export const openStackBalancers: Mistake[] = [
  {
    what: 'a load balancer without a group where it needs one',
    make: (model) => void (layerOf(model).capacity = { kind: 'fixed', count: 1 }),
    v3: balancer,
    v2: architecture,
    options: { dialect: 'k5' },
  },
  ...(
    [
      ['healthyThreshold', 11, 'healthy_threshold'],
      ['timeoutSeconds', 20, 'timeout'],
      ['target', 'x', 'target'],
    ] as const
  ).map(
    ([member, value, name]): Mistake => ({
      what: `an invalid ${member}`,
      make: (model) => void Object.assign(healthOf(model), { [member]: value }),
      v3: `${health}/${name}`,
      v2: architecture,
    }),
  ),
];

export const openStackServices: Mistake[] = [
  {
    what: 'a database in two zones',
    make: ({ databases }) => void (databases[0]!.multiZone = true),
    v3: `${rds}/multi_az`,
    v2: 'configurations/database/0',
  },
  {
    what: 'a database with replicas',
    make: ({ databases }) => void (databases[0]!.replicas = 1),
    v3: `${rds}/replica`,
    v2: 'configurations/database/0/ReadReplica1',
  },
  {
    what: 'too much storage',
    make: ({ databases }) => void (databases[0]!.storageGib = 200),
    v3: `${rds}/storage`,
    v2: 'configurations/database/0/DBStorage',
  },
  {
    what: 'a database that shrinks',
    make: ({ databases }) => void (databases[0]!.storageGib = 10),
    v3: `${rds}/storage`,
    v2: 'configurations/database/0/DBStorage',
  },
  {
    what: 'a tag that servers cannot carry',
    make: (model) => void (model.tags = { 'a@b': 'c' }),
    v3: 'tags',
    // Documents of v2 have no tags.
    v2: '',
  },
];
