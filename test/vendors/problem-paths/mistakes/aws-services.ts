import {
  all,
  aloneIn,
  architecture,
  balancer,
  balancerOf,
  groupOf,
  healthOf,
  layerOf,
  listener,
  listenerOf,
  type Mistake,
  provision,
} from './draft.ts';

const rds = 'configurations/2/provision/rds';
const health = `${balancer}/health_check`;
export const awsBalancers: Mistake[] = [
  {
    what: 'a count of requests that no load balancer makes',
    make: (model) => {
      groupOf(model).scaling = { metric: 'requests', target: 100 };
      for (const each of balancerOf(model).listeners)
        Object.assign(each, { protocol: 'tcp', instanceProtocol: 'tcp' });
    },
    v3: `${provision}/auto_scaling/target_requests`,
    v2: architecture,
  },
  ...[
    ['a listener on port 0', 'port', 0, 'load_balancer_port'],
    ['a target on port 0', 'instancePort', 0, 'instance_port'],
    ['an encrypted listener without a domain', 'protocol', 'https', 'cert_domain'],
  ].map(
    ([what, member, value, name]): Mistake => ({
      what: String(what),
      make: (model) => void Object.assign(listenerOf(model), { [String(member)]: value }),
      v3: `${listener}/${name}`,
      v2: architecture,
    }),
  ),
  {
    what: 'a listener whose domain has no certificate',
    make: (model) =>
      void Object.assign(listenerOf(model), { protocol: 'https', certificateDomain: 'unknown.test' }),
    v3: `${listener}/cert_domain`,
    v2: architecture,
  },
  {
    what: 'two protocols for one port of the servers',
    make: (model) => {
      const first = listenerOf(model);
      balancerOf(model).listeners.splice(1, 9, { ...first, port: 82, instanceProtocol: 'https' });
    },
    v3: `${balancer}/listeners/1/instance_protocol`,
    v2: architecture,
  },
  {
    what: 'a load balancer without listeners',
    make: (model) => void (balancerOf(model).listeners = []),
    v3: `${balancer}/listeners`,
    v2: architecture,
  },
  ...(
    [
      ['intervalSeconds', 4, 'interval'],
      ['timeoutSeconds', 121, 'timeout'],
      ['healthyThreshold', 11, 'healthy_threshold'],
      ['unhealthyThreshold', 11, 'unhealthy_threshold'],
      ['target', 'x', 'target'],
    ] as const
  ).map(
    ([member, value, name]): Mistake => ({
      what: `an invalid ${member}`,
      make: (model) =>
        void Object.assign(healthOf(model), {
          intervalSeconds: 300,
          [member]: value,
          ...(member === 'intervalSeconds' ? { timeoutSeconds: 3 } : {}),
        }),
      v3: `${health}/${name}`,
      v2: architecture,
    }),
  ),
  {
    what: 'a timeout as long as the interval',
    make: (model) => void Object.assign(healthOf(model), { intervalSeconds: 10, timeoutSeconds: 10 }),
    v3: `${health}/timeout`,
    v2: architecture,
  },
];

export const awsServices: Mistake[] = [
  {
    what: 'an unsupported version',
    make: ({ databases }) => void (databases[0]!.engineVersion = 'new'),
    v3: `${rds}/version`,
    v2: 'configurations/database/0/engine',
  },
  {
    what: 'an invalid class',
    make: ({ databases }) => void (databases[0]!.instanceType = 't3.micro'),
    v3: `${rds}/db_instance_type`,
    v2: 'configurations/database/0/dbtype',
  },
  {
    what: 'too much storage',
    make: ({ databases }) => void (databases[0]!.storageGib = 70_000),
    v3: `${rds}/storage`,
    v2: 'configurations/database/0/DBStorage',
  },
  {
    what: 'an invalid node type',
    make: ({ caches }) => void (caches[0]!.nodeType = 't3.micro'),
    v3: 'configurations/2/provision/elasticache/node_type',
    v2: 'configurations/elasticache/0/elasticachenodetype',
  },
];

export const awsNetwork: Mistake[] = [
  {
    what: 'an unknown region',
    make: (model) => void (model.region = 'mars-1'),
    v3: 'vendor/aws/region',
    v2: 'region',
  },
  {
    what: 'a public load balancer in a private subnet',
    make: (model) => void Object.assign(layerOf(model).subnet, { public: false, assignPublicIp: false }),
    v3: `${balancer}/subnets`,
    v2: architecture,
  },
  {
    what: 'a reference to a secret of the account',
    make: (model) => {
      aloneIn(model);
      layerOf(model).flag = '{{resolve:ssm:x}}';
    },
    v3: 'configurations/0',
    v2: all,
  },
];
