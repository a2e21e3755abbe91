import { type Static, Type } from 'typebox';
import { failureChoices } from './rollout.ts';
import { secretForms } from './secret-name.ts';

/**
 * The model of a stack, shared by all languages and vendors. `null` means "the vendor chooses" (the templates'
 * `${computed}`) or "none". Secrets appear only by name, never by value.
 */

const text = Type.String({ minLength: 1 });
const count = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const port = count(0, 65535);
const orNone = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const protocols = ['tcp', 'udp', 'icmp', 'all'] as const;
export const databaseEngines = ['mysql', 'postgresql'] as const;
export const cacheEngines = ['redis', 'memcached'] as const;
export const codeSources = ['git', 'object_store'] as const;
export const layerRoles = ['web', 'bastion'] as const;

const oneOf = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>(Type.String({ enum: [...words] }));

const trafficRule = Type.Object({
  protocol: oneOf(protocols),
  fromPort: port,
  toPort: port,
  cidr: text,
});

const aclRule = Type.Object({
  number: count(1, 32766),
  protocol: Type.String(),
  action: oneOf(['allow', 'deny']),
  egress: Type.Boolean(),
  cidr: text,
});

/** The load that a group holds by adding and removing servers: average CPU use in percent, or requests per server and minute. */
const scalingTarget = Type.Object({ metric: oneOf(['cpu', 'requests']), target: count(1, 1_000_000) });

/** A fixed number of servers, an auto scaling group, or none: `shared` adds the layer's subnet to the group of another. */
const capacity = Type.Union([
  Type.Object({ kind: Type.Literal('fixed'), count: count(0, 1000) }),
  Type.Object({
    kind: Type.Literal('group'),
    min: count(0, 1000),
    max: count(0, 1000),
    /** Percentage of the group's instances that are spot instances. */
    spotPercent: count(0, 100),
    zones: Type.Array(text),
    /** Other layers whose subnets the group uses. */
    subnetsOf: Type.Array(text),
    /** Other layers whose security groups its instances have. */
    securityGroupsOf: Type.Array(text),
    cooldownSeconds: count(0, 86400),
    healthCheckGraceSeconds: count(0, 86400),
    /** Null: only a new version changes the size. */
    scaling: orNone(scalingTarget),
  }),
  Type.Object({ kind: Type.Literal('shared'), groupOf: text }),
]);

const listener = Type.Object({
  port,
  protocol: oneOf(['http', 'https', 'tcp', 'ssl']),
  instancePort: port,
  instanceProtocol: oneOf(['http', 'https', 'tcp', 'ssl']),
  certificateDomain: orNone(text),
});

const healthCheck = Type.Object({
  /** `HTTP:80/path`, `TCP:80`. */
  target: text,
  intervalSeconds: count(1, 300),
  timeoutSeconds: count(1, 120),
  healthyThreshold: count(1, 20),
  unhealthyThreshold: count(1, 20),
});

const loadBalancer = Type.Object({
  kind: oneOf(['classic', 'application', 'network']),
  scheme: oneOf(['internet-facing', 'internal']),
  subnetsOf: Type.Array(text),
  securityGroupsOf: Type.Array(text),
  listeners: Type.Array(listener),
  healthCheck,
});

const container = Type.Object({
  image: orNone(text),
  registryUsername: orNone(text),
  registryPasswordSecret: orNone(text),
  codeDirectory: orNone(text),
  /** Source of the code. For an object store, `gitRepository` is a path in it. */
  codeSource: oneOf(codeSources),
  gitRepository: orNone(text),
  gitReference: text,
  gitPrivateKeySecret: orNone(text),
  ports: Type.Array(port),
  environment: Type.Record(Type.String(), Type.String()),
  users: Type.Array(Type.Object({ name: text, publicKey: Type.String() })),
  addons: Type.Array(Type.Object({ name: text, apiKeySecret: orNone(text) })),
  storage: orNone(Type.Object({ kind: oneOf(['efs', 'local']), id: orNone(text), mountPath: text })),
  /** Secrets of the account that it gets: under which name, and in which form. Absent: none. */
  accountSecrets: Type.Optional(
    Type.Array(Type.Object({ name: text, secret: text, as: oneOf(secretForms) })),
  ),
  /** The image that it follows; see `registry/track.ts`. Absent: none. */
  track: Type.Optional(text),
});

const layer = Type.Object({
  flag: text,
  role: oneOf(layerRoles),
  zone: orNone(text),
  instanceType: orNone(text),
  machineImage: orNone(text),
  volume: Type.Object({ type: orNone(text), sizeGib: orNone(count(1, 16384)) }),
  keyPair: Type.Boolean(),
  subnet: Type.Object({ cidr: text, public: Type.Boolean(), assignPublicIp: Type.Boolean() }),
  networkAcl: Type.Array(aclRule),
  securityGroup: Type.Object({ ingress: Type.Array(trafficRule), egress: Type.Array(trafficRule) }),
  capacity,
  loadBalancer: orNone(loadBalancer),
  container: orNone(container),
  /** How new revisions get to its instances. Absent: as by default. */
  rollout: Type.Optional(
    Type.Object({
      timeoutSeconds: Type.Optional(count(10, 86_400)),
      onFailure: Type.Optional(oneOf(failureChoices)),
    }),
  ),
});

const database = Type.Object({
  name: text,
  engine: oneOf(databaseEngines),
  engineVersion: orNone(text),
  instanceType: orNone(text),
  storageGib: count(5, 6144),
  replicas: count(0, 5),
  multiZone: Type.Boolean(),
  /** Absent in models older than this member. */
  deletionProtection: Type.Optional(Type.Boolean()),
});

const cache = Type.Object({
  name: text,
  engine: oneOf(cacheEngines),
  nodeType: text,
  nodes: count(1, 20),
});

const vendorOptions = Type.Object({
  /** Name or id of the network through which the stack reaches the internet. */
  externalNetwork: orNone(text),
  /** The cloud's own names of instance types. */
  flavors: Type.Record(Type.String(), Type.String()),
});

export const stackModel = Type.Object({
  region: text,
  networkCidr: text,
  layers: Type.Array(layer),
  databases: Type.Array(database),
  caches: Type.Array(cache),
  /** The user's own tags of every resource. Versions of earlier releases have none. */
  tags: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** What the document says about the cloud beyond its region. Absent: nothing, or the version before said it. */
  vendorOptions: Type.Optional(vendorOptions),
});

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export type StackModel = DeepReadonly<Static<typeof stackModel>>;
export type Layer = StackModel['layers'][number];
export type Capacity = Layer['capacity'];
export type LoadBalancer = NonNullable<Layer['loadBalancer']>;
export type Container = NonNullable<Layer['container']>;
export type TrafficRule = DeepReadonly<Static<typeof trafficRule>>;
export type AclRule = DeepReadonly<Static<typeof aclRule>>;
export type Database = StackModel['databases'][number];
export type Cache = StackModel['caches'][number];

/** How many servers a layer has at least: load may add servers to a group. */
const serversOf = ({ capacity: wanted }: Layer): number => {
  if (wanted.kind === 'shared') return 0;
  return wanted.kind === 'fixed' ? wanted.count : wanted.min;
};

export const serversWanted = ({ layers }: StackModel): number =>
  layers.map(serversOf).reduce((sum, servers) => sum + servers, 0);

/** Freezes a whole tree, because no later step may change a model. */
export const freeze = <T>(value: T): T => {
  if (value && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
};
