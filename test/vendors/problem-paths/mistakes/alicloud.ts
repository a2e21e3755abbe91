import { alicloudBalancers, alicloudServices } from './alicloud-services.ts';
import { agents, dataNetworks, listeners, networks, objectStores } from './clouds.ts';
import { all, architecture, groupOf, inLayer, layerOf, type Mistake, provision, type } from './draft.ts';
import { addresses, cidr, names, nodes, references, shared } from './shared.ts';

const rule = `${provision}/security_group/ingress/0`;
const scaling = `${provision}/auto_scaling`;

const layers: Mistake[] = [
  inLayer('a type of another cloud', (layer) => void (layer.instanceType = 'm3.medium'), {
    v3: 'instance_type',
    v2: type,
  }),
  inLayer('a subnet that is too small', ({ subnet }) => void (subnet.cidr = '10.0.0.0/30'), cidr),
  inLayer('a subnet that is not a network', ({ subnet }) => void (subnet.cidr = 'x'), cidr),
  inLayer('a volume of another cloud', ({ volume }) => void (volume.type = 'io1'), {
    v3: 'volume_type',
    v2: all,
  }),
  inLayer('a volume that is too large', ({ volume }) => void (volume.sizeGib = 600), {
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
    what: 'a group in a zone without a subnet',
    make: (model) => void (groupOf(model).zones = ['ap-northeast-1a', 'ap-northeast-1d']),
    v3: `${scaling}/availability_zones`,
    v2: architecture,
  },
  {
    what: 'a group with too many subnets',
    make: (model) => {
      for (let index = 0; index < 9; index += 1) {
        const copy = structuredClone(layerOf(model));
        const subnet = { ...copy.subnet, cidr: `10.0.${50 + index}.0/24` };
        model.layers.push({
          ...copy,
          flag: `Host${index}`,
          subnet,
          capacity: { kind: 'fixed', count: 0 },
          loadBalancer: null,
        });
        groupOf(model).subnetsOf.push(`Host${index}`);
      }
    },
    v3: `${scaling}/subnets`,
    v2: architecture,
  },
  ...(
    [
      ['a group that scales by requests', { metric: 'requests', target: 10 }, 'target_requests'],
      ['a group that scales by more than all CPU', { metric: 'cpu', target: 101 }, 'target_cpu'],
    ] as const
  ).map(
    ([what, wanted, member]): Mistake => ({
      what,
      make: (model) => void (groupOf(model).scaling = wanted),
      v3: `${scaling}/${member}`,
      v2: architecture,
    }),
  ),
];

const aclRule = { number: 1, protocol: '6', action: 'allow', egress: false, cidr: '0.0.0.0/0' } as const;

const traffic: Mistake[] = [
  inLayer('an invalid source', ({ securityGroup }) => void (securityGroup.ingress[0]!.cidr = 'x'), {
    v3: 'security_group/ingress/0/cidr_ip',
    v2: all,
  }),
  ...(
    [
      ['ports in the wrong order', { fromPort: 9, toPort: 8 }, 'to_port'],
      ['port 0 alone', { fromPort: 0, toPort: 0 }, 'to_port'],
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
    'a protocol that network ACLs do not know',
    (layer) => void (layer.networkAcl = [{ ...aclRule, protocol: '50' }]),
    { v3: 'network_acl/0/protocol', v2: all },
  ),
  inLayer(
    'too many rules of a network ACL',
    (layer) =>
      void (layer.networkAcl = Array.from({ length: 20 }, (_, index) => ({ ...aclRule, number: index + 1 }))),
    { v3: 'network_acl', v2: all },
  ),
];

const ways: Mistake[] = [
  inLayer('agents without a way out', ({ subnet }) => void (subnet.assignPublicIp = false), {
    v3: 'subnet/auto_assign_public_ip',
    v2: all,
  }),
];

const network: Mistake[] = [
  {
    what: 'a network that the cloud uses itself',
    make: (model) => void (model.networkCidr = '100.64.0.0/16'),
    v3: all,
    v2: all,
  },
];

export const alicloudMistakes: Mistake[] = [
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
  ...ways,
  ...alicloudBalancers,
  ...alicloudServices,
  ...network,
  ...networks,
  ...dataNetworks,
];
