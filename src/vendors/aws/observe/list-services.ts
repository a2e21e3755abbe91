import type { CacheCluster, ReplicationGroup } from '@aws-sdk/client-elasticache';
import type { DBInstance } from '@aws-sdk/client-rds';
import type { CacheNode, DatabaseInstance } from '../../vendor.ts';
import { databaseEngines } from '../catalog.ts';
import type { Clients } from '../clients.ts';
import { observeAws } from '../errors.ts';

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

/** Lists all databases of a region by identifier, including those outside Almanac. */
export async function listDatabases(clients: Clients): Promise<ReadonlyMap<string, DatabaseInstance>> {
  const rds = await clients.rds();
  const databases = new Map<string, DatabaseInstance>();
  let marker: string | undefined;
  do {
    const page = await observeAws(() => rds.describeDBInstances(marker ? { Marker: marker } : {}));
    for (const instance of page.DBInstances ?? [])
      databases.set(instance.DBInstanceIdentifier ?? '', databaseOf(instance));
    marker = page.Marker;
  } while (marker);
  return databases;
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

/** Lists the nodes of all caches of a region by cache identifier, including those outside Almanac. */
export async function listCaches(clients: Clients): Promise<ReadonlyMap<string, readonly CacheNode[]>> {
  const elastiCache = await clients.elastiCache();
  const caches = new Map<string, readonly CacheNode[]>();
  let marker: string | undefined;
  do {
    const page = await observeAws(() =>
      elastiCache.describeReplicationGroups(marker ? { Marker: marker } : {}),
    );
    for (const group of page.ReplicationGroups ?? [])
      caches.set(group.ReplicationGroupId ?? '', redisNodes(group));
    marker = page.Marker;
  } while (marker);
  do {
    const page = await observeAws(() =>
      elastiCache.describeCacheClusters({ ShowCacheNodeInfo: true, ...(marker ? { Marker: marker } : {}) }),
    );
    for (const cluster of page.CacheClusters ?? [])
      if (!cluster.ReplicationGroupId) caches.set(cluster.CacheClusterId ?? '', memcachedNodes(cluster));
    marker = page.Marker;
  } while (marker);
  return caches;
}
