import type { Cache, Database } from '../../model/stack-model.ts';
import type { CacheItem, DatabaseItem } from './schema.ts';
import { layerFlag } from './secrets.ts';

const databaseEngines: Record<DatabaseItem['Engine'], Database['engine']> = {
  db_mysql: 'mysql',
  db_postgresql: 'postgresql',
};

export const cacheEngines: Record<CacheItem['ElastiCacheEngine'], Cache['engine']> = {
  Redis: 'redis',
  Memcached: 'memcached',
};

/** The first has the layer's name, as in a template; the others add a number. */
const nameOf = (index: number): string => (index === 0 ? layerFlag : `${layerFlag}${index + 1}`);

const replicasOf = (item: DatabaseItem): number =>
  [item.ReadReplica1, item.ReadReplica2, item.ReadReplica3, item.ReadReplica4, item.ReadReplica5].filter(
    Boolean,
  ).length;

export const compileDatabases = (items: readonly DatabaseItem[]): readonly Database[] =>
  items.map((item, index) => ({
    name: nameOf(index),
    engine: databaseEngines[item.Engine],
    engineVersion: null,
    instanceType: item.DBtype,
    storageGib: item.DBStorage,
    replicas: replicasOf(item),
    multiZone: false,
    ...(item.DeletionProtection ? { deletionProtection: true } : {}),
  }));

export const compileCaches = (items: readonly CacheItem[]): readonly Cache[] =>
  items.map((item, index) => ({
    name: nameOf(index),
    engine: cacheEngines[item.ElastiCacheEngine],
    nodeType: item.ElastiCacheNodeType,
    nodes: item.ElastiCacheNodes,
  }));
