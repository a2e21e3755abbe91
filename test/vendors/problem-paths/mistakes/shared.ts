import {
  all,
  architecture,
  balancer,
  balancerOf,
  containerOf,
  groupOf,
  inLayer,
  layerOf,
  type Mistake,
  provision,
} from './draft.ts';

export const names: Mistake[] = [
  inLayer('a name without letters and digits', (layer) => void (layer.flag = '—'), { v3: 'flag', v2: all }),
  {
    what: 'two databases with the same resource names',
    make: ({ databases }) => void databases.push({ ...databases[0]!, name: `${databases[0]!.name}-` }),
    v3: `${provision}/rds`,
    v2: 'configurations/database',
  },
];

export const shared: Mistake[] = [
  {
    what: 'a shared group of an unknown layer',
    make: (model) => void (layerOf(model).capacity = { kind: 'shared', groupOf: 'Nobody' }),
    v3: `${provision}/auto_scaling`,
    v2: architecture,
  },
  {
    what: 'a minimum above the maximum',
    make: (model) => void (groupOf(model).min = 9),
    v3: `${provision}/auto_scaling/min`,
    v2: 'configurations/min',
  },
  {
    what: 'a load balancer that forwards to a port the container does not publish',
    make: (model) => void (containerOf(model).ports = [8080]),
    v3: `${balancer}/listeners/0/instance_port`,
    v2: architecture,
  },
  {
    what: 'a container that does not publish the port to which a load balancer forwards',
    make: (model) => void (containerOf(model).ports = [8080]),
    v3: 'configurations/0/container/container_ports',
    v2: 'configurations/image',
  },
];

export const references: Mistake[] = [
  {
    what: 'a group in the subnet of an unknown layer',
    make: (model) => void groupOf(model).subnetsOf.push('Nobody'),
    v3: `${provision}/auto_scaling/subnets`,
    v2: architecture,
  },
  {
    what: 'a load balancer with the security group of an unknown layer',
    make: (model) => void balancerOf(model).securityGroupsOf.push('Nobody'),
    v3: `${balancer}/security_groups`,
    v2: architecture,
  },
];

export const cidr = { v3: 'subnet/cidr', v2: all };
export const addresses: Mistake[] = [
  inLayer('a subnet outside the network', ({ subnet }) => void (subnet.cidr = '10.9.0.0/24'), cidr),
  {
    what: 'a subnet that overlaps another',
    make: (model) => {
      const other = structuredClone(layerOf(model));
      model.layers[1] = { ...other, flag: 'Api', capacity: { kind: 'fixed', count: 1 }, loadBalancer: null };
    },
    v3: 'configurations/1/provision/subnet/cidr',
    v2: all,
  },
  {
    what: 'more servers than addresses',
    make: (model) => void (groupOf(model).max = 900),
    v3: `${provision}/auto_scaling/max`,
    v2: 'configurations/max',
  },
  {
    what: 'more fixed servers than addresses',
    make: (model) => void (layerOf(model).capacity = { kind: 'fixed', count: 900 }),
    v3: `${provision}/instance_count`,
    v2: architecture,
  },
];

export const nodes: Mistake[] = [
  {
    what: 'more nodes than the engine supports',
    make: ({ caches }) => void (caches[0]!.nodes = 20),
    v3: 'configurations/2/provision/elasticache/nodes',
    v2: 'configurations/elasticache/0/ElastiCacheNodes',
  },
];
