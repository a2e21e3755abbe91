import { agents, dataNetworks, listeners, manyServers, networks, objectStores } from './clouds.ts';
import { all, architecture, groupOf, inLayer, layerOf, type Mistake, provision, type } from './draft.ts';
import { openStackBalancers, openStackServices } from './openstack-services.ts';
import { addresses, cidr, names, nodes, references, shared } from './shared.ts';

const rule = `${provision}/security_group/ingress/0`;

const layers: Mistake[] = [
  inLayer('a subnet that is too small', ({ subnet }) => void (subnet.cidr = '10.0.0.0/30'), cidr),
  inLayer('a subnet that is not a network', ({ subnet }) => void (subnet.cidr = 'x'), cidr),
  inLayer('a volume of a group that shrinks', ({ volume }) => void (volume.sizeGib = 25), {
    v3: 'volume_size',
    v2: all,
  }),
  inLayer(
    'a volume that shrinks',
    (layer) => {
      layer.volume.sizeGib = 25;
      layer.capacity = { kind: 'fixed', count: 1 };
    },
    { v3: 'volume_size', v2: all },
  ),
  {
    ...inLayer('two zones where networks have one', (layer) => void (layer.zone = 'x'), {
      v3: 'availability_zone',
      v2: type,
    }),
    options: { dialect: 'k5', zone: 'y' },
  },
  {
    what: 'a group in several zones',
    make: (model) => void (groupOf(model).zones = ['a', 'b', 'c']),
    v3: `${provision}/auto_scaling/availability_zones`,
    v2: architecture,
  },
  {
    what: 'names that together make one',
    make: (model) => {
      const copy = structuredClone(layerOf(model));
      const subnet = { ...copy.subnet, cidr: '10.0.99.0/24' };
      model.layers.push({
        ...copy,
        flag: `Address${copy.flag}`,
        subnet,
        capacity: { kind: 'fixed', count: 1 },
      });
    },
    v3: all,
    v2: all,
  },
];

const traffic: Mistake[] = [
  inLayer('an invalid source', ({ securityGroup }) => void (securityGroup.ingress[0]!.cidr = 'x'), {
    v3: 'security_group/ingress/0/cidr_ip',
    v2: all,
  }),
  ...(
    [
      ['ports in the wrong order', { fromPort: 9, toPort: 8 }, 'to_port'],
      ['port 0 alone', { fromPort: 0, toPort: 0 }, 'to_port'],
      ['an invalid type of ICMP', { protocol: 'icmp', fromPort: 0, toPort: 300 }, 'from_port'],
    ] as const
  ).map(
    ([what, changes, member]): Mistake => ({
      what,
      make: (model) => void Object.assign(layerOf(model).securityGroup.ingress[0]!, changes),
      v3: `${rule}/${member}`,
      v2: all,
    }),
  ),
  inLayer(
    'a network ACL that denies',
    (layer) =>
      void (layer.networkAcl = [
        { number: 1, protocol: '6', action: 'deny', egress: false, cidr: '0.0.0.0/0' },
      ]),
    { v3: 'network_acl/0', v2: all },
  ),
];

export const openStackMistakes: Mistake[] = [
  ...names,
  ...shared,
  ...references,
  ...addresses,
  ...nodes,
  ...layers,
  ...traffic,
  ...agents,
  ...objectStores,
  ...listeners,
  ...manyServers,
  ...openStackBalancers,
  ...openStackServices,
  ...networks,
  ...dataNetworks,
];
