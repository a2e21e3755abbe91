import { readdirSync, readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import type { Cache, Database, Layer, StackModel } from '../../../src/model/stack-model.ts';
import { stackModel } from '../../../src/model/stack-model.ts';
import { adaptToAlicloud } from '../../vendors/golden/alicloud.ts';
import { sampleDatabase, sampleGroup, sampleLayer, sampleModel } from '../../vendors/sample-model.ts';

const golden = new URL('../../vendors/golden/', import.meta.url);

/** Images of the golden models are those of another cloud. */
const withImage = (layer: Layer): Layer =>
  layer.machineImage === null ? layer : { ...layer, machineImage: 'm-bp1customimage0000000' };

const goldenModels = (): [string, StackModel][] =>
  readdirSync(golden)
    .filter((file) => file.endsWith('.model.json'))
    .map((file) => {
      const text = readFileSync(new URL(file, golden), 'utf8');
      const model = adaptToAlicloud(Value.Parse(stackModel, JSON.parse(text)));
      return [file.replace('.model.json', ''), { ...model, layers: model.layers.map(withImage) }];
    });

const inner = { cidr: '10.0.0.0/24', public: false, assignPublicIp: false };
const cache = (changes: Partial<Cache>): Cache => ({
  name: 'cache',
  engine: 'redis',
  nodeType: 'redis.shard.small.2.ce',
  nodes: 1,
  ...changes,
});
const layer = (changes: Partial<Layer>): StackModel => sampleModel({ layers: [sampleLayer(changes)] });
const group = (spot: number, changes: Partial<Layer> = {}): StackModel =>
  sampleModel({ layers: [{ ...sampleGroup(1, spot), ...changes }] });
const database = (changes: Partial<Database>): StackModel =>
  sampleModel({ databases: [sampleDatabase(changes)] });
const cached = (changes: Partial<Cache>): StackModel => sampleModel({ caches: [cache(changes)] });

const internal = (): Layer['loadBalancer'] => ({
  ...sampleGroup(1, 0).loadBalancer!,
  scheme: 'internal',
  listeners: [
    { port: 25, protocol: 'tcp', instancePort: 25, instanceProtocol: 'tcp', certificateDomain: null },
  ],
});
const httpCheck = (): Layer['loadBalancer'] => {
  const balancer = internal()!;
  return { ...balancer, healthCheck: { ...balancer.healthCheck, target: 'HTTP:80/health' } };
};

/** One value of every member that changes what a template looks like, and the golden models. */
export const models: Readonly<Record<string, StackModel>> = {
  ...Object.fromEntries(goldenModels()),
  'a private server': layer({ subnet: inner }),
  'no servers': layer({ capacity: { kind: 'fixed', count: 0 } }),
  'three servers': layer({ capacity: { kind: 'fixed', count: 3 } }),
  'a server without a key': layer({ keyPair: false }),
  'a server without a public address': layer({
    subnet: { cidr: '10.0.0.0/24', public: true, assignPublicIp: false },
  }),
  'another type': layer({ instanceType: 'ecs.c7.xlarge' }),
  'an ARM type': layer({ instanceType: 'ecs.g8y.large' }),
  'another disk': layer({ volume: { type: 'cloud_auto', sizeGib: 100 } }),
  'a group': group(0),
  'a group with spot servers': group(50),
  'a private group': group(0, { subnet: inner }),
  'an internal load balancer': layer({ loadBalancer: internal() }),
  'a TCP listener with an HTTP check': layer({ loadBalancer: httpCheck() }),
  'a database': database({}),
  'a larger database': database({ storageGib: 100, instanceType: 'mysql.x4.large.2c' }),
  'a database with replicas': database({ replicas: 2 }),
  'a database with a standby': database({ multiZone: true, engine: 'postgresql' }),
  'a protected database': database({ deletionProtection: true }),
  'an older database': database({ engineVersion: '5.7' }),
  'Redis with one node': cached({}),
  'Redis with two nodes': cached({ nodes: 2 }),
  'Redis with ten nodes': cached({ nodes: 10 }),
  'Memcached with three nodes': cached({
    engine: 'memcached',
    nodeType: 'memcache.master.small.default',
    nodes: 3,
  }),
  'another network': sampleModel({
    networkCidr: '10.0.0.0/15',
    layers: [sampleLayer({ subnet: { cidr: '10.1.0.0/24', public: true, assignPublicIp: true } })],
  }),
  tags: sampleModel({ tags: { team: 'shop', cost: '7' } }),
};
