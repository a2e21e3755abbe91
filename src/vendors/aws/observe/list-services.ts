import type { CacheCluster, ReplicationGroup } from '@aws-sdk/client-elasticache';
import type { DBInstance } from '@aws-sdk/client-rds';
import type { Reader } from '../../shared/adaptive-read.ts';
import type { CacheNode, DatabaseInstance } from '../../vendor.ts';
import { databaseEngines } from '../catalog.ts';
import type { Clients } from '../clients.ts';
import { type ExpectedError, ignoreError, observeAws } from '../errors.ts';

const modelEngines = new Map(Object.entries(databaseEngines).map(([engine, { name }]) => [name, engine]));

/** The name of a database engine in the model; databases outside Almanac may have other engines. */
const modelEngine = (rdsName: string): string => modelEngines.get(rdsName) ?? rdsName;

const databaseOf = (instance: DBInstance): DatabaseInstance => ({
  id: instance.DBInstanceIdentifier ?? '',
  role: instance.ReadReplicaSourceDBInstanceIdentifier ? 'replica' : 'primary',
  engine: modelEngine(instance.Engine ?? ''),
  engineVersion: instance.EngineVersion ?? '',
  type: instance.DBInstanceClass ?? '',
  storageGib: instance.AllocatedStorage ?? 0,
  zone: instance.AvailabilityZone ?? '',
  state: instance.DBInstanceStatus ?? '',
  address: instance.Endpoint?.Address ?? '',
  port: instance.Endpoint?.Port ?? 0,
});

const notFound: ExpectedError = { name: /NotFound(Fault)?$/ };

/** The databases of a region by identifier, also those outside Almanac. */
export const databaseReader = (clients: Clients): Reader<DatabaseInstance> => ({
  one: async (id) => {
    const rds = await clients.rds();
    const found = await observeAws(() =>
      ignoreError(notFound, () => rds.describeDBInstances({ DBInstanceIdentifier: id })),
    );
    return found?.DBInstances?.map(databaseOf)[0];
  },
  all: async (maxPages) => {
    const rds = await clients.rds();
    const values = new Map<string, DatabaseInstance>();
    const pages = await readPages(maxPages, async (marker) => {
      const page = await observeAws(() => rds.describeDBInstances(marker));
      for (const database of (page.DBInstances ?? []).map(databaseOf)) values.set(database.id, database);
      return page.Marker;
    });
    return pages === undefined ? undefined : { values, pages };
  },
});

/** Reads pages until the last one, and returns their number; undefined: there are more than `maxPages`. */
async function readPages(
  maxPages: () => number,
  readPage: (marker: { Marker?: string }) => Promise<string | undefined>,
): Promise<number | undefined> {
  let marker: string | undefined;
  for (let pages = 1; pages <= maxPages(); pages += 1) {
    marker = await readPage(marker ? { Marker: marker } : {});
    if (!marker) return pages;
  }
  return undefined;
}

/** The nodes of a Redis group, from the description of the group. */
function redisNodes(group: ReplicationGroup): CacheNode[] {
  const members = (group.NodeGroups ?? []).flatMap(({ NodeGroupMembers = [] }) => NodeGroupMembers);
  return members.map((member) => ({
    id: member.CacheClusterId ?? '',
    role: member.CurrentRole === 'replica' ? 'replica' : 'primary',
    engine: 'redis',
    type: group.CacheNodeType ?? '',
    state: group.Status ?? '',
    address: member.ReadEndpoint?.Address ?? '',
    port: member.ReadEndpoint?.Port ?? 0,
  }));
}

const memcachedNodes = (cluster: CacheCluster): CacheNode[] =>
  (cluster.CacheNodes ?? []).map((node) => ({
    id: `${cluster.CacheClusterId}/${node.CacheNodeId}`,
    role: 'primary',
    engine: cluster.Engine ?? '',
    type: cluster.CacheNodeType ?? '',
    state: node.CacheNodeStatus ?? '',
    address: node.Endpoint?.Address ?? '',
    port: node.Endpoint?.Port ?? 0,
  }));

/** The nodes of the caches of a region by cache identifier, also those outside Almanac. */
export const cacheReader = (clients: Clients): Reader<readonly CacheNode[]> => ({
  one: async (id) => (await readRedis(clients, id)) ?? (await readMemcached(clients, id)),
  all: async (maxPages) => {
    const elastiCache = await clients.elastiCache();
    const values = new Map<string, readonly CacheNode[]>();
    const redisPages = await readPages(maxPages, async (marker) => {
      const page = await observeAws(() => elastiCache.describeReplicationGroups(marker));
      for (const group of page.ReplicationGroups ?? [])
        values.set(group.ReplicationGroupId ?? '', redisNodes(group));
      return page.Marker;
    });
    if (redisPages === undefined) return undefined;
    const pages = await readPages(maxPages, async (marker) => {
      const page = await observeAws(() =>
        elastiCache.describeCacheClusters({ ShowCacheNodeInfo: true, ...marker }),
      );
      for (const cluster of page.CacheClusters ?? [])
        if (!cluster.ReplicationGroupId) values.set(cluster.CacheClusterId ?? '', memcachedNodes(cluster));
      return page.Marker;
    });
    // A cache of unknown kind also takes two calls by name.
    return pages === undefined ? undefined : { values, pages: Math.max(pages, redisPages) };
  },
});

async function readRedis(clients: Clients, id: string): Promise<readonly CacheNode[] | undefined> {
  const elastiCache = await clients.elastiCache();
  const found = await observeAws(() =>
    ignoreError(notFound, () => elastiCache.describeReplicationGroups({ ReplicationGroupId: id })),
  );
  return found?.ReplicationGroups?.map(redisNodes)[0];
}

async function readMemcached(clients: Clients, id: string): Promise<readonly CacheNode[] | undefined> {
  const elastiCache = await clients.elastiCache();
  const found = await observeAws(() =>
    ignoreError(notFound, () =>
      elastiCache.describeCacheClusters({ CacheClusterId: id, ShowCacheNodeInfo: true }),
    ),
  );
  return found?.CacheClusters?.map(memcachedNodes)[0];
}
