import type { Cache, Database } from '../../../model/stack-model.ts';
import { typeSize } from '../../shared/type-sizes.ts';
import { cacheEngines, databaseEngines } from '../catalog.ts';

type Step = readonly [memoryGib: number, name: string];

const atLeast = (steps: readonly Step[], memoryGib: number): string =>
  steps.find(([most]) => memoryGib <= most)?.[1] ?? steps.at(-1)?.[1] ?? '';

const databaseSteps: Readonly<Record<Database['engine'], readonly Step[]>> = {
  mysql: [
    [2, 'mysql.n2.small.2c'],
    [4, 'mysql.n2.medium.2c'],
    [8, 'mysql.x4.medium.2c'],
    [16, 'mysql.x4.large.2c'],
    [32, 'mysql.x4.xlarge.2c'],
  ],
  postgresql: [
    [4, 'pg.n2.2c.2m'],
    [8, 'pg.x4.medium.2c'],
    [16, 'pg.x4.large.2c'],
    [32, 'pg.x4.xlarge.2c'],
  ],
};

const memoryOf = (type: string): number => typeSize(type)?.memoryGib ?? 4;

/** Undefined: the name has the form of a class of this engine. */
export const foreignDatabaseMessage = (engine: Database['engine'], type: string): string | undefined =>
  databaseEngines[engine].type.test(type)
    ? undefined
    : `${type} is not a class of ${engine} databases of Alibaba Cloud. Use ${atLeast(databaseSteps[engine], memoryOf(type))}, which has about the same size.`;

/** As RDS writes it: `17.0` for `17`. Undefined: RDS does not have it. */
export function wantedVersion(
  { engine, engineVersion }: Database,
  before: string | undefined,
): string | undefined {
  const { versions } = databaseEngines[engine];
  if (engineVersion === null) return before ?? versions[0];
  return versions.find((version) => version === engineVersion || version === `${engineVersion}.0`);
}

/** The class of read replicas next to a primary of a class. */
export const replicaType = (type: string): string =>
  type.replace(/^(?:rds\.)?(mysql|pg)\./, '$1ro.').replace(/\.2(c|m)$/, '.1$1');

const cacheSizes: readonly Step[] = [
  [1, 'small'],
  [2, 'mid'],
  [4, 'stand'],
  [8, 'large'],
  [16, '2xlarge'],
  [32, '4xlarge'],
  [64, '8xlarge'],
];
const shardSizes: readonly Step[] = [
  [1, 'small'],
  [2, 'mid'],
  [4, 'large'],
  [8, 'xlarge'],
  [16, '2xlarge'],
  [32, '4xlarge'],
  [64, '8xlarge'],
];

/** More than a primary and its standby: only instances of this form have read replicas. */
export const hasReadReplicas = ({ engine, nodes }: Cache): boolean => engine === 'redis' && nodes > 2;
const withReadReplicas = /^redis\.shard\.[a-z0-9.]+\.ce$/;

const matchingCache = (cache: Cache): string => {
  const memoryGib = memoryOf(cache.nodeType);
  if (cache.engine === 'memcached') return `memcache.master.${atLeast(cacheSizes, memoryGib)}.default`;
  return hasReadReplicas(cache)
    ? `redis.shard.${atLeast(shardSizes, memoryGib)}.2.ce`
    : `redis.master.${atLeast(cacheSizes, memoryGib)}.default`;
};

/** Undefined: the class fits the engine and the number of nodes. */
export function foreignCacheMessage(cache: Cache): string | undefined {
  const { engine, nodeType, nodes } = cache;
  if (!cacheEngines[engine].type.test(nodeType))
    return `${nodeType} is not a class of ${engine} of Alibaba Cloud. Use ${matchingCache(cache)}, which has about the same size.`;
  if (!hasReadReplicas(cache) || withReadReplicas.test(nodeType)) return undefined;
  return `Class ${nodeType} has no read replicas, which ${nodes} nodes need. Use ${matchingCache(cache)}, or at most 2 nodes.`;
}

/** Instances of the newer form run a newer version. */
export const redisVersion = (nodeType: string): string => (nodeType.endsWith('.ce') ? '7.0' : '5.0');
