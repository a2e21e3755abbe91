import type { Cache, Database, StackModel } from '../../../model/stack-model.ts';
import { nodeRole } from '../../shared/caches.ts';
import { engines } from '../catalog.ts';
import { hashOf, type Service } from '../document.ts';
import * as names from '../names.ts';

const withHash = (service: Omit<Service, 'hash'>): Service => {
  const { engine, role, primary, type, kind, volume } = service;
  const stored = kind === 'cache' && volume !== null ? { volume } : {};
  return { ...service, hash: hashOf({ engine, role, primary, type, ...stored }) };
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

/** Only the primary of a Redis cache has a volume: replicas copy it, and Memcached keeps nothing. */
const cacheVolume = (name: string, engine: Cache['engine'], role: Service['role']): string | null =>
  engine === 'redis' && role === 'primary' ? `${name}-${engine}` : null;

export const cacheServices = (model: StackModel, cache: Cache): Service[] =>
  Array.from({ length: cache.nodes }, (_, index) => {
    const { engine, nodeType } = cache;
    const role = nodeRole(cache, index);
    const name = names.cacheName(cache.name, index);
    return withHash({
      name,
      kind: 'cache',
      engine,
      role,
      primary: role === 'replica' ? names.cacheName(cache.name, 0) : null,
      number: index + 1,
      volume: cacheVolume(name, engine, role),
      port: engines[engine].port,
      type: nodeType,
      storageGib: 0,
      zone: model.region,
    });
  });
