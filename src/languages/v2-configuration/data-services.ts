import type { Static } from 'typebox';
import type { Cache, Database } from '../../model/stack-model.ts';
import type { cacheItem, databaseItem } from './schema.ts';
import { layerFlag } from './secrets.ts';

/** The first carries the layer's name, as in a template; the next ones count on. */
const nameOf = (index: number): string => (index === 0 ? layerFlag : `${layerFlag}${index + 1}`);

const replicasOf = (item: Static<typeof databaseItem>): number =>
  [item.ReadReplica1, item.ReadReplica2, item.ReadReplica3, item.ReadReplica4, item.ReadReplica5].filter(
    Boolean,
  ).length;

export const compileDatabases = (items: readonly Static<typeof databaseItem>[]): readonly Database[] =>
  items.map((item, index) => ({
    name: nameOf(index),
    engine: item.Engine === 'db_mysql' ? 'mysql' : 'postgresql',
    engineVersion: null,
    instanceType: item.DBtype,
    storageGib: item.DBStorage,
    replicas: replicasOf(item),
    multiZone: false,
  }));

export const compileCaches = (items: readonly Static<typeof cacheItem>[]): readonly Cache[] =>
  items.map((item, index) => ({
    name: nameOf(index),
    engine: item.ElastiCacheEngine === 'Redis' ? 'redis' : 'memcached',
    nodeType: item.ElastiCacheNodeType,
    nodes: item.ElastiCacheNodes,
  }));
