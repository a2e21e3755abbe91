import type { StackModel } from '../../../src/model/stack-model.ts';
import type { CompileOptions } from '../aws/compile/world.ts';

type Draft<T> = T extends object ? { -readonly [K in keyof T]: Draft<T[K]> } : T;
type DraftModel = Draft<StackModel>;
type DraftLayer = DraftModel['layers'][number];

/** A mistake in the model, and where the problem is reported in a template and in a v2 request. */
export interface Mistake {
  what: string;
  make: (model: DraftModel) => void;
  v3: string;
  v2: string;
  /** What AWS offered, and the address of this server. */
  options?: CompileOptions;
}

const provision = 'configurations/0/provision';
const layerOf = ({ layers: [layer] }: DraftModel): DraftLayer => layer!;
const groupOf = (model: DraftModel) =>
  layerOf(model).capacity as Extract<DraftLayer['capacity'], { kind: 'group' }>;
const balancerOf = (model: DraftModel) => layerOf(model).loadBalancer!;
const listenerOf = (model: DraftModel) => balancerOf(model).listeners[0]!;
const healthOf = (model: DraftModel) => balancerOf(model).healthCheck;
const containerOf = (model: DraftModel) => layerOf(model).container!;

const inLayer = (
  what: string,
  make: (layer: DraftLayer) => void,
  paths: { v3: string; v2: string },
): Mistake => ({
  what,
  make: (model) => make(layerOf(model)),
  v3: paths.v3 === 'flag' ? 'configurations/0/flag' : `${provision}/${paths.v3}`,
  v2: paths.v2,
});

const balancer = `${provision}/load_balancer`;
const listener = `${balancer}/listeners/0`;
const architecture = 'configurations/architecture';
const all = 'configurations';
const type = 'configurations/type';

const names: Mistake[] = [
  inLayer('a name without letters and digits', (layer) => void (layer.flag = '—'), { v3: 'flag', v2: all }),
  {
    what: 'two databases with the same resource names',
    make: ({ databases }) => void databases.push({ ...databases[0]!, name: `${databases[0]!.name}-` }),
    v3: `${provision}/rds`,
    v2: 'configurations/database',
  },
];

const shared: Mistake[] = [
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
];

const references: Mistake[] = [
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

const cidr = { v3: 'subnet/cidr', v2: all };
const addresses: Mistake[] = [
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

const nodes: Mistake[] = [
  {
    what: 'more nodes than the engine supports',
    make: ({ caches }) => void (caches[0]!.nodes = 20),
    v3: 'configurations/2/provision/elasticache/nodes',
    v2: 'configurations/elasticache/0/ElastiCacheNodes',
  },
];

export const sandboxMistakes: Mistake[] = [
  ...names,
  ...shared,
  ...references,
  ...addresses,
  ...nodes,
  {
    what: 'an invalid region',
    make: (model) => void (model.region = '!'),
    v3: 'vendor/aws/region',
    v2: 'region',
  },
  { what: 'an invalid network', make: (model) => void (model.networkCidr = 'x'), v3: all, v2: all },
  inLayer('an invalid subnet', ({ subnet }) => void (subnet.cidr = 'x'), cidr),
];

export const dockerMistakes: Mistake[] = [
  ...names,
  ...shared,
  ...nodes,
  {
    what: 'too many instances for one machine',
    make: (model) => void Object.assign(groupOf(model), { min: 60, max: 60 }),
    v3: `${provision}/auto_scaling`,
    v2: architecture,
  },
  {
    what: 'a load balancer without listeners',
    make: (model) => void (balancerOf(model).listeners = []),
    v3: `${balancer}/listeners`,
    v2: architecture,
  },
  {
    what: 'an encrypted listener',
    make: (model) => void (listenerOf(model).protocol = 'https'),
    v3: `${listener}/protocol`,
    v2: architecture,
  },
  {
    what: 'encryption to the instances',
    make: (model) => void (listenerOf(model).instanceProtocol = 'https'),
    v3: `${listener}/instance_protocol`,
    v2: architecture,
  },
  {
    what: 'a listener on port 0',
    make: (model) => void (listenerOf(model).port = 0),
    v3: `${listener}/load_balancer_port`,
    v2: architecture,
  },
  {
    what: 'two listeners on one port',
    make: (model) => void balancerOf(model).listeners.splice(1, 9, { ...listenerOf(model) }),
    v3: `${balancer}/listeners/1/load_balancer_port`,
    v2: architecture,
  },
  {
    what: 'an unsupported target of health checks',
    make: (model) => void (healthOf(model).target = 'HTTPS:443/'),
    v3: `${balancer}/health_check/target`,
    v2: architecture,
  },
  {
    what: 'a container without an image',
    make: (model) => void (containerOf(model).image = null),
    v3: 'configurations/0/container/container_image',
    v2: 'configurations/image',
  },
  {
    what: 'a container on the port of ssh',
    make: (model) => void (containerOf(model).ports = [22]),
    v3: 'configurations/0/container/container_ports',
    v2: 'configurations/image',
  },
  {
    what: 'files mounted over a system directory',
    make: (model) => void (containerOf(model).storage = { kind: 'efs', id: 'x', mountPath: '/etc' }),
    v3: 'configurations/0/container/container_storage/mountpath',
    v2: 'configurations/image',
  },
];

const rule = `${provision}/security_group/ingress/0`;
const acl = `${provision}/network_acl/0`;
const rds = 'configurations/2/provision/rds';
const health = `${balancer}/health_check`;
const aclRule = { number: 1, protocol: '6', action: 'allow', egress: false, cidr: '0.0.0.0/0' } as const;

const awsServers: Mistake[] = [
  inLayer('a name that is not ASCII', (layer) => void (layer.flag = 'Web層'), { v3: 'flag', v2: all }),
  inLayer('an invalid type', (layer) => void (layer.instanceType = 'micro'), {
    v3: 'instance_type',
    v2: type,
  }),
  inLayer('an invalid image', (layer) => void (layer.machineImage = 'ubuntu'), { v3: 'image', v2: type }),
  inLayer('a zone of another region', (layer) => void (layer.zone = 'us-east-1a'), {
    v3: 'availability_zone',
    v2: type,
  }),
  inLayer('an unsupported volume', ({ volume }) => void (volume.type = 'st1'), {
    v3: 'volume_type',
    v2: all,
  }),
  inLayer(
    'a volume that is too small',
    ({ volume }) => void Object.assign(volume, { type: 'io1', sizeGib: 1 }),
    {
      v3: 'volume_size',
      v2: all,
    },
  ),
  inLayer('a subnet that is too small', ({ subnet }) => void (subnet.cidr = '10.0.0.0/30'), cidr),
  {
    what: 'a group in a zone without a subnet',
    make: (model) => void (groupOf(model).zones = ['ap-northeast-1a', 'ap-northeast-1d']),
    v3: `${provision}/auto_scaling/availability_zones`,
    v2: architecture,
  },
  {
    what: 'a group in a zone of another region',
    make: (model) => void (groupOf(model).zones = ['us-east-1a']),
    v3: `${provision}/auto_scaling/availability_zones`,
    v2: architecture,
  },
];

const awsTraffic: Mistake[] = [
  inLayer('an invalid source', ({ securityGroup }) => void (securityGroup.ingress[0]!.cidr = 'x'), {
    v3: 'security_group/ingress/0/cidr_ip',
    v2: all,
  }),
  {
    what: 'ports in the wrong order',
    make: (model) => void Object.assign(layerOf(model).securityGroup.ingress[0]!, { fromPort: 9, toPort: 8 }),
    v3: `${rule}/to_port`,
    v2: all,
  },
  {
    what: 'an invalid type of ICMP',
    make: (model) =>
      void Object.assign(layerOf(model).securityGroup.ingress[0]!, {
        protocol: 'icmp',
        fromPort: 0,
        toPort: 300,
      }),
    v3: `${rule}/from_port`,
    v2: all,
  },
  {
    what: 'an unknown protocol of a network ACL',
    make: (model) => void (layerOf(model).networkAcl = [{ ...aclRule, protocol: 'x' }]),
    v3: `${acl}/protocol`,
    v2: all,
  },
  {
    what: 'a number of two rules',
    make: (model) =>
      void (layerOf(model).networkAcl = [
        { ...aclRule, number: 2 },
        aclRule,
        { ...aclRule, cidr: '1.0.0.0/8' },
      ].slice(1)),
    v3: `${provision}/network_acl`,
    v2: all,
  },
];

const awsContainers: Mistake[] = [
  {
    what: 'a wildcard in the place of the code',
    make: (model) =>
      void Object.assign(containerOf(model), { codeSource: 'object_store', gitRepository: 's3://b/*' }),
    v3: 'configurations/0/container/container_git_repo',
    v2: 'configurations/code',
  },
  {
    what: 'a network file system',
    make: (model) => void (containerOf(model).storage = { kind: 'efs', id: 'x', mountPath: '/data' }),
    v3: 'configurations/0/container/container_storage',
    v2: 'configurations/image',
  },
  inLayer('agents without an address', ({ subnet }) => void (subnet.assignPublicIp = false), {
    v3: 'subnet/auto_assign_public_ip',
    v2: all,
  }),
  inLayer(
    'agents that may not send',
    (layer) => {
      layer.securityGroup.egress = [];
      Object.assign(layer.capacity, { securityGroupsOf: [] });
    },
    { v3: 'security_group/egress', v2: all },
  ),
];

const awsBalancers: Mistake[] = [
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

const awsServices: Mistake[] = [
  {
    what: 'an unsupported version',
    make: ({ databases }) => void (databases[0]!.engineVersion = '9.1'),
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

/** Leaves only the first layer, without references to others. */
function aloneIn(model: DraftModel): void {
  model.layers.splice(1);
  Object.assign(groupOf(model), { subnetsOf: [], securityGroupsOf: [], zones: [] });
  Object.assign(balancerOf(model), { subnetsOf: [], securityGroupsOf: [] });
}

const awsNetwork: Mistake[] = [
  {
    what: 'an unknown region',
    make: (model) => void (model.region = 'mars-1'),
    v3: 'vendor/aws/region',
    v2: 'region',
  },
  { what: 'an invalid network', make: (model) => void (model.networkCidr = 'x'), v3: all, v2: all },
  {
    what: 'a network that is too large',
    make: (model) => void (model.networkCidr = '10.0.0.0/8'),
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

const agent = { v3: 'configurations/0/container', v2: 'configurations/image' };
const same = (): void => undefined;
const zone = (letter: string): string => `ap-northeast-1${letter}`;
const existing = { engine: 'mysql', version: '8.4.9', type: 'db.t4g.micro', storageGib: 50, upgraded: false };

/** Adds a private layer of the group in another zone. */
function addPrivate(model: DraftModel, flag: string, letter: string): void {
  const copy = structuredClone(layerOf(model));
  const cidr = `10.0.${100 + model.layers.length}.0/24`;
  const subnet = { cidr, public: false, assignPublicIp: false };
  model.layers.push({
    ...copy,
    flag,
    zone: zone(letter),
    subnet,
    capacity: { kind: 'fixed', count: 0 },
    loadBalancer: null,
  });
  groupOf(model).subnetsOf.push(flag);
}

const awsChoices: Mistake[] = [
  { what: 'a server that is out of reach', make: same, ...agent, options: { baseUrl: 'http://localhost' } },
  { what: 'a server without encryption', make: same, ...agent, options: { baseUrl: 'http://a.example.com' } },
  {
    ...inLayer('a layer without an image', (layer) => void (layer.machineImage = null), {
      v3: 'image',
      v2: type,
    }),
    options: { choices: { images: {} } },
  },
  {
    what: 'a database that shrinks',
    make: same,
    v3: `${rds}/storage`,
    v2: 'configurations/database/0/DBStorage',
    options: { choices: { databases: { Data: existing, web: existing } } },
  },
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
  {
    what: 'two databases with the same secret',
    make: ({ databases }) => void databases.push({ ...databases[0]!, name: `Secret${databases[0]!.name}` }),
    v3: `${provision}/rds`,
    v2: 'configurations/database',
  },
  {
    what: 'servers that the load balancer does not reach',
    make: (model) => {
      aloneIn(model);
      addPrivate(model, 'One', 'c');
      addPrivate(model, 'Other', 'd');
    },
    v3: `${balancer}/subnets`,
    v2: architecture,
    options: { choices: { zones: ['a', 'c', 'd'].map(zone) } },
  },
  {
    what: 'a load balancer in a region with one zone',
    make: (model) => {
      aloneIn(model);
      Object.assign(model, { databases: [], caches: [] });
    },
    v3: `${balancer}/subnets`,
    v2: architecture,
    options: { choices: { zones: [zone('a')] } },
  },
  {
    what: 'databases in a region with one zone',
    make: aloneIn,
    v3: 'vendor/aws/region',
    v2: 'region',
    options: { choices: { zones: [zone('a')] } },
  },
  {
    what: 'a subnet in the place of the databases',
    make: same,
    v3: `${provision}/subnet/cidr`,
    v2: all,
    options: { choices: { cidrs: { DataSubnet1: '10.0.0.0/24' } } },
  },
];

export const awsMistakes: Mistake[] = [
  ...awsChoices,
  ...names,
  ...shared,
  ...references,
  ...addresses,
  ...nodes,
  ...awsServers,
  ...awsTraffic,
  ...awsContainers,
  ...awsBalancers,
  ...awsServices,
  ...awsNetwork,
];
