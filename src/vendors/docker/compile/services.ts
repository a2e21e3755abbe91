import type { Cache, Database, StackModel } from '../../../model/stack-model.ts';
import { nodeRole } from '../../shared/caches.ts';
import { engines } from '../catalog.ts';
import { hashOf, type Service } from '../document.ts';
import * as names from '../names.ts';

const withHash = (service: Omit<Service, 'hash'>): Service => {
  const { engine, role, primary, type } = service;
  return { ...service, hash: hashOf({ engine, role, primary, type }) };
};

/** A primary, followed by its read replicas. The volume's name includes the engine: engines cannot read each other's data. */
export const databaseServices = (model: StackModel, database: Database): Service[] =>
  Array.from({ length: database.replicas + 1 }, (_, index) => {
    const { engine, instanceType, storageGib } = database;
    const name = names.databaseName(database.name, index);
    return withHash({
      name,
      kind: 'database',
      engine,
      role: index === 0 ? 'primary' : 'replica',
      primary: index === 0 ? null : names.databaseName(database.name, 0),
      number: index + 1,
      volume: `${name}-${engine}`,
      port: engines[engine].port,
      type: instanceType ?? 'container',
      storageGib,
      zone: model.region,
    });
  });

/** Caches have no volume: their data may be lost. */
export const cacheServices = (model: StackModel, cache: Cache): Service[] =>
  Array.from({ length: cache.nodes }, (_, index) => {
    const { engine, nodeType } = cache;
    const role = nodeRole(cache, index);
    return withHash({
      name: names.cacheName(cache.name, index),
      kind: 'cache',
      engine,
      role,
      primary: role === 'replica' ? names.cacheName(cache.name, 0) : null,
      number: index + 1,
      volume: null,
      port: engines[engine].port,
      type: nodeType,
      storageGib: 0,
      zone: model.region,
    });
  });
