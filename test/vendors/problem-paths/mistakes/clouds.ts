import {
  all,
  aloneIn,
  architecture,
  balancer,
  balancerOf,
  containerOf,
  inLayer,
  layerOf,
  listener,
  listenerOf,
  type Mistake,
} from './draft.ts';
import { cidr } from './shared.ts';

/** Mistakes that clouds with servers and networks of their own have in common. */

const agent = { v3: 'configurations/0/container', v2: 'configurations/image' };
const same = (): void => undefined;

export const agents: Mistake[] = [
  { what: 'a server that is out of reach', make: same, ...agent, options: { baseUrl: 'http://localhost' } },
  { what: 'a server without encryption', make: same, ...agent, options: { baseUrl: 'http://a.example.com' } },
  {
    what: 'a network file system',
    make: (model) => void (containerOf(model).storage = { kind: 'efs', id: 'x', mountPath: '/data' }),
    v3: 'configurations/0/container/container_storage',
    v2: 'configurations/image',
  },
  inLayer(
    'agents that may not send',
    (layer) => {
      layer.securityGroup.egress = [];
      Object.assign(layer.capacity, { securityGroupsOf: [] });
    },
    { v3: 'security_group/egress', v2: all },
  ),
];

export const objectStores: Mistake[] = [
  {
    what: 'code in an object store',
    make: (model) =>
      void Object.assign(containerOf(model), { codeSource: 'object_store', gitRepository: 's3://b/c' }),
    v3: 'configurations/0/container/container_git_repo',
    v2: 'configurations/code',
  },
];

export const networks: Mistake[] = [
  { what: 'an invalid network', make: (model) => void (model.networkCidr = 'x'), v3: all, v2: all },
  {
    what: 'a network that is too large',
    make: (model) => void (model.networkCidr = '0.0.0.0/4'),
    v3: all,
    v2: all,
  },
  {
    what: 'a full network',
    make: (model) => {
      aloneIn(model);
      layerOf(model).subnet.cidr = model.networkCidr;
    },
    v3: all,
    v2: all,
  },
];

export const dataNetworks: Mistake[] = [
  {
    ...inLayer(
      'a subnet that overlaps that of databases',
      ({ subnet }) => void (subnet.cidr = '10.0.200.0/24'),
      cidr,
    ),
    options: { dataCidr: '10.0.200.0/24' },
  },
];

export const manyServers: Mistake[] = [
  {
    what: 'a stack that is too large',
    make: (model) => {
      aloneIn(model);
      Object.assign(layerOf(model), { capacity: { kind: 'fixed', count: 600 } });
      layerOf(model).subnet.cidr = '10.0.0.0/20';
    },
    v3: all,
    v2: all,
  },
];

export const listeners: Mistake[] = [
  ...(
    [
      ['a listener on port 0', { port: 0 }, 'load_balancer_port'],
      ['a target on port 0', { instancePort: 0 }, 'instance_port'],
      ['a listener that decrypts TCP', { protocol: 'ssl' }, 'protocol'],
      ['an encrypted listener without a domain', { protocol: 'https' }, 'cert_domain'],
      [
        'a listener whose domain has no certificate',
        { protocol: 'https', certificateDomain: 'unknown.test' },
        'cert_domain',
      ],
    ] as const
  ).map(
    ([what, changes, member]): Mistake => ({
      what,
      make: (model) => void Object.assign(listenerOf(model), changes),
      v3: `${listener}/${member}`,
      v2: architecture,
    }),
  ),
  {
    what: 'two listeners on one port',
    make: (model) => void balancerOf(model).listeners.splice(1, 9, { ...listenerOf(model) }),
    v3: `${balancer}/listeners/1/load_balancer_port`,
    v2: architecture,
  },
  {
    what: 'a load balancer without listeners',
    make: (model) => void (balancerOf(model).listeners = []),
    v3: `${balancer}/listeners`,
    v2: architecture,
  },
];
