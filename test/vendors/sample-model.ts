import { type Database, freeze, type Layer, type StackModel } from '../../src/model/stack-model.ts';

/** A minimal layer: one server with a public address and a key pair. */
export const sampleLayer = (changes: Partial<Layer> = {}): Layer => ({
  flag: 'Web0',
  role: 'web',
  zone: null,
  instanceType: null,
  machineImage: null,
  volume: { type: null, sizeGib: null },
  keyPair: true,
  subnet: { cidr: '10.0.0.0/24', public: true, assignPublicIp: true },
  networkAcl: [],
  securityGroup: {
    ingress: [{ protocol: 'tcp', fromPort: 80, toPort: 80, cidr: '0.0.0.0/0' }],
    egress: [{ protocol: 'all', fromPort: 0, toPort: 65535, cidr: '0.0.0.0/0' }],
  },
  capacity: { kind: 'fixed', count: 1 },
  loadBalancer: null,
  container: null,
  ...changes,
});

export const sampleModel = (changes: Partial<StackModel> = {}): StackModel =>
  freeze({
    region: 'ap-northeast-1',
    networkCidr: '10.0.0.0/16',
    layers: [sampleLayer()],
    databases: [],
    caches: [],
    ...changes,
  });

/** A group of `min` servers behind a load balancer. */
export const sampleGroup = (min: number, spotPercent: number): Layer =>
  sampleLayer({
    capacity: {
      kind: 'group',
      min,
      max: 10,
      spotPercent,
      zones: [],
      subnetsOf: [],
      securityGroupsOf: [],
      cooldownSeconds: 360,
      healthCheckGraceSeconds: 360,
      scaling: null,
    },
    loadBalancer: {
      kind: 'classic',
      scheme: 'internet-facing',
      subnetsOf: [],
      securityGroupsOf: [],
      listeners: [
        { port: 80, protocol: 'http', instancePort: 80, instanceProtocol: 'http', certificateDomain: null },
      ],
      healthCheck: {
        target: 'TCP:80',
        intervalSeconds: 10,
        timeoutSeconds: 5,
        healthyThreshold: 2,
        unhealthyThreshold: 10,
      },
    },
  });

export const fixedServers = (count: number, changes: Partial<Layer> = {}): StackModel =>
  sampleModel({ layers: [sampleLayer({ capacity: { kind: 'fixed', count }, ...changes })] });

export const sampleDatabase = (changes: Partial<Database> = {}): Database => ({
  name: 'app',
  engine: 'mysql',
  engineVersion: null,
  instanceType: null,
  storageGib: 20,
  multiZone: false,
  replicas: 0,
  ...changes,
});

/** One server and a database, or two servers: an update from the first to the second creates before it removes. */
export const serverAndDatabase = (hasDatabase: boolean): StackModel =>
  hasDatabase ? sampleModel({ databases: [sampleDatabase()] }) : fixedServers(2);
