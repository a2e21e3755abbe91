import { entryOf } from '../../../src/basics/entry-of.ts';
import { reject } from '../../../src/basics/problem.ts';
import type { Cache, Database, Layer, StackModel } from '../../../src/model/stack-model.ts';
import { nothingChosen } from '../../../src/vendors/alicloud/choices.ts';
import { decide } from '../../../src/vendors/alicloud/choose/decide.ts';
import { compile } from '../../../src/vendors/alicloud/compile.ts';
import { offerFor } from '../alicloud/offer.ts';

/** What the errors about types of AWS name instead. */
const types: Readonly<Record<string, string>> = {
  'm5.large': 'ecs.g7.large',
  't2.micro': 'ecs.g7.large',
  't3.nano': 'ecs.e-c1m2.large',
  't3.small': 'ecs.e-c1m2.large',
  't4g.small': 'ecs.g8y.large',
  io1: 'cloud_auto',
  gp2: 'cloud_essd',
};
const databaseTypes: Readonly<Record<string, string>> = {
  'mysql db.m5.large': 'mysql.x4.medium.2c',
  'mysql db.t3.small': 'mysql.n2.small.2c',
  'postgresql db.t3.small': 'pg.n2.2c.2m',
};
const cacheTypes: Readonly<Record<string, string>> = {
  'redis cache.m5.large': 'redis.shard.xlarge.2.ce',
  'redis cache.t3.micro': 'redis.master.small.default',
  'memcached cache.t2.micro': 'memcache.master.small.default',
  'memcached cache.t3.micro': 'memcache.master.small.default',
  'memcached cache.t4g.micro': 'memcache.master.small.default',
};

const named = (name: string | null, table = types): string | null =>
  name === null ? null : (entryOf(table, name) ?? name);

const plainBalancer = ({ loadBalancer }: Layer): Layer['loadBalancer'] =>
  loadBalancer && {
    ...loadBalancer,
    listeners: loadBalancer.listeners.map((listener) => ({
      ...listener,
      protocol: listener.protocol === 'ssl' ? 'tcp' : listener.protocol,
    })),
  };

/** The first layer of all shows that code in an object store is rejected. */
const plainContainer = ({ flag, container }: Layer): Layer['container'] =>
  container && {
    ...container,
    codeSource: flag === 'web-0' ? container.codeSource : 'git',
    storage: container.storage?.kind === 'efs' ? { ...container.storage, kind: 'local' } : container.storage,
  };

const plainCapacity = ({ capacity }: Layer): Layer['capacity'] =>
  capacity.kind === 'group' && capacity.scaling?.metric === 'requests'
    ? { ...capacity, scaling: { metric: 'cpu', target: capacity.scaling.target / 20 } }
    : capacity;

/** What Alibaba Cloud does not have is written as its error says. Other values stay as they are. */
const adapted = (layer: Layer): Layer => ({
  ...layer,
  instanceType: named(layer.instanceType),
  volume: { ...layer.volume, type: named(layer.volume.type) },
  capacity: plainCapacity(layer),
  loadBalancer: plainBalancer(layer),
  container: plainContainer(layer),
});

const adaptedDatabase = (database: Database): Database => ({
  ...database,
  instanceType:
    database.instanceType &&
    (databaseTypes[`${database.engine} ${database.instanceType}`] ?? database.instanceType),
});

const adaptedCache = (cache: Cache): Cache => ({
  ...cache,
  nodeType: cacheTypes[`${cache.engine} ${cache.nodeType}`] ?? cache.nodeType,
});

export const adaptToAlicloud = (golden: StackModel): StackModel => ({
  ...golden,
  layers: golden.layers.map(adapted),
  databases: golden.databases.map(adaptedDatabase),
  caches: golden.caches.map(adaptedCache),
});

export const compileForAlicloud = (golden: StackModel, stackId: string) => {
  const model = adaptToAlicloud(golden);
  const choices = decide({ model, offer: offerFor(model), kept: nothingChosen });
  if (!choices.ok) return reject(choices.problems);
  return compile({ model, stackId, choices: choices.value, baseUrl: 'https://almanac.example.com' });
};
