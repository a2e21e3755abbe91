import type { Cache, Database, StackModel } from '../../../model/stack-model.ts';
import { nodeRole } from '../../shared/caches.ts';
import { cacheDefaults, databaseDefaults, defaultDatabaseType, defaultZone } from '../catalog.ts';
import type { DocumentResource } from '../document.ts';
import * as names from '../names.ts';

/** Databases and caches accept connections from the stack's network only. */
const innerSecurityGroup = (model: StackModel, name: string, port: number): DocumentResource => ({
  name,
  type: 'SecurityGroup',
  dependsOn: [names.network],
  properties: {
    ingress: [{ protocol: 'tcp', fromPort: port, toPort: port, cidr: model.networkCidr }],
    egress: [],
  },
});

/** A primary, followed by its read replicas. */
export function databaseResources(model: StackModel, database: Database): DocumentResource[] {
  const { name, engine } = database;
  const securityGroup = names.databaseSecurityGroup(name);
  const defaults = databaseDefaults[engine];
  const properties = {
    engine,
    engineVersion: database.engineVersion ?? defaults.version,
    instanceType: database.instanceType ?? defaultDatabaseType,
    storageGib: database.storageGib,
    multiZone: database.multiZone,
    zone: defaultZone(model.region),
    port: defaults.port,
    securityGroup,
  };
  const instance = (logicalName: string, role: string, dependency: string): DocumentResource => ({
    name: logicalName,
    type: 'DatabaseInstance',
    dependsOn: [dependency],
    properties: { ...properties, role },
  });
  return [
    innerSecurityGroup(model, securityGroup, defaults.port),
    instance(names.database(name), 'primary', securityGroup),
    ...Array.from({ length: database.replicas }, (_, index) =>
      instance(names.databaseReplica(name, index + 1), 'replica', names.database(name)),
    ),
  ];
}

/** A cluster, which is the endpoint of Memcached, and its nodes. */
export function cacheResources(model: StackModel, cache: Cache): DocumentResource[] {
  const { name, engine, nodeType, nodes } = cache;
  const { port } = cacheDefaults[engine];
  const securityGroup = names.cacheSecurityGroup(name);
  const node = (index: number): DocumentResource => ({
    name: names.cacheNode(name, index),
    type: 'CacheNode',
    dependsOn: [names.cacheCluster(name)],
    properties: { engine, nodeType, port, role: nodeRole(cache, index) },
  });
  return [
    innerSecurityGroup(model, securityGroup, port),
    {
      name: names.cacheCluster(name),
      type: 'CacheCluster',
      dependsOn: [securityGroup],
      properties: { engine, nodeType, nodes, port, securityGroup },
    },
    ...Array.from({ length: nodes }, (_, index) => node(index)),
  ];
}
