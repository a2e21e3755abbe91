import type { StackModel } from '../../../src/model/stack-model.ts';

const types: Readonly<Record<string, string>> = {
  't3.micro': 'ecs.g7.large',
  't2.micro': 'ecs.g7.large',
  gp3: 'cloud_essd',
  'db.t4g.micro': 'mysql.n2.medium.2c',
  'cache.t4g.micro': 'redis.master.small.default',
  '8.4': '8.0',
};

const named = (name: string | null): string | null => (name === null ? null : (types[name] ?? name));

/** The documents of the tests are for AWS: their own types and sizes become those of Alibaba Cloud, others stay. */
export const adaptToAlicloud = (model: StackModel): StackModel => ({
  ...model,
  layers: model.layers.map((layer) => ({
    ...layer,
    instanceType: named(layer.instanceType),
    volume: { ...layer.volume, type: named(layer.volume.type) },
  })),
  databases: model.databases.map((database) => ({
    ...database,
    instanceType: named(database.instanceType),
    engineVersion: named(database.engineVersion),
    storageGib: database.storageGib === 20 ? 30 : database.storageGib,
  })),
  caches: model.caches.map((cache) => ({
    ...cache,
    nodeType:
      cache.engine === 'redis' && cache.nodes > 10 ? 'redis.shard.small.2.ce' : (named(cache.nodeType) ?? ''),
  })),
});
