import type { ObservedStore } from '../../data.ts';
import type { CacheNode, Instance } from '../../vendor.ts';
import type { Client } from '../client.ts';
import { observing } from '../errors.ts';
import { serverType, storeIn } from '../layout/stores.ts';
import {
  cacheEngineKey,
  cacheIndexKey,
  cacheKey,
  flagKey,
  redisPrimary,
  server,
  serverName,
  stackKey,
} from '../names.ts';
import { type Page, readPages } from '../rest/pages.ts';
import { timeOf } from './list-stacks.ts';

/** The servers of a stack. Some of them are the nodes of its caches. */
export interface StackServers {
  instances: readonly Instance[];
  caches: readonly CacheNode[];
  /** Those with data on their disks: servers outside groups, and the first nodes of Redis. */
  stores: readonly ObservedStore[];
}
export type ServersByStack = ReadonlyMap<string, StackServers>;
export const noServers: StackServers = { instances: [], caches: [], stores: [] };

interface ServerRow {
  id: string;
  name: string;
  status: string;
  'OS-EXT-STS:task_state'?: string | null;
  'OS-EXT-AZ:availability_zone'?: string | null;
  created: string;
  'OS-SRV-USG:launched_at'?: string | null;
  key_name?: string | null;
  metadata?: Readonly<Record<string, string>>;
  image?: { id?: string } | '';
  flavor?: { original_name?: string; id?: string; disk?: number };
  addresses?: Readonly<Record<string, readonly Address[]>>;
}

interface Address {
  addr: string;
  version: number;
  'OS-EXT-IPS:type'?: string;
}

const states: Readonly<Record<string, Instance['state']>> = {
  ACTIVE: 'running',
  SHUTOFF: 'stopped',
  PAUSED: 'stopped',
  SUSPENDED: 'stopped',
  SHELVED: 'stopped',
  SHELVED_OFFLOADED: 'stopped',
  RESCUE: 'stopped',
  ERROR: 'terminated',
  DELETED: 'terminated',
  SOFT_DELETED: 'terminated',
};

const tasks: Readonly<Record<string, Instance['state']>> = {
  deleting: 'shutting-down',
  'soft-deleting': 'shutting-down',
  'powering-off': 'stopping',
  suspending: 'stopping',
  shelving: 'stopping',
};

/** BUILD, REBOOT, RESIZE, REBUILD and all others are on their way. */
export const stateOf = (status: string, task: string | null | undefined): Instance['state'] =>
  tasks[task ?? ''] ?? states[status] ?? 'pending';

const addressOf = ({ addresses = {} }: ServerRow, type: 'fixed' | 'floating'): string | undefined =>
  Object.values(addresses)
    .flat()
    .find((it) => it.version === 4 && (it['OS-EXT-IPS:type'] ?? 'fixed') === type)?.addr;

const typeOf = ({ flavor }: ServerRow): string => flavor?.original_name ?? flavor?.id ?? '';

const instanceOf = (row: ServerRow): Instance => ({
  id: row.id,
  flag: row.metadata?.[flagKey] ?? '',
  type: typeOf(row),
  image: row.image ? (row.image.id ?? '') : '',
  state: stateOf(row.status, row['OS-EXT-STS:task_state']),
  launchedAt: timeOf(row.created),
  spot: false,
  zone: row['OS-EXT-AZ:availability_zone'] ?? '',
  privateIp: addressOf(row, 'fixed') ?? '',
  privateDns: '',
  publicIp: addressOf(row, 'floating') ?? null,
  publicDns: null,
  // Nova shows the names of networks only. They are not worth another list.
  networkId: Object.keys(row.addresses ?? {})[0] ?? '',
  subnetId: '',
  keyName: row.key_name ?? null,
});

const ports: Readonly<Record<string, number>> = { redis: 6379, memcached: 11211 };

function cacheOf(row: ServerRow): CacheNode {
  const { [cacheEngineKey]: engine = '', [cacheIndexKey]: index = '0' } = row.metadata ?? {};
  return {
    id: row.id,
    // Nodes of memcached do not copy each other.
    role: engine === 'redis' && index !== '0' ? 'replica' : 'primary',
    engine,
    type: typeOf(row),
    state: row.status.toLowerCase(),
    address: addressOf(row, 'fixed') ?? '',
    port: ports[engine] ?? 0,
  };
}

/** The resource of a server outside groups, whose name ends with its number, and of the first node of Redis. */
function resourceOf({ name, metadata = {} }: ServerRow): string {
  const { [flagKey]: flag, [cacheKey]: cache, [cacheEngineKey]: engine, [cacheIndexKey]: node } = metadata;
  if (cache !== undefined) return engine === 'redis' && node === '0' ? redisPrimary(cache) : '';
  const index = /-(\d+)$/.exec(name)?.[1];
  const isOwn = flag !== undefined && name === `${serverName(metadata[stackKey] ?? '', flag)}-${index}`;
  return isOwn ? server(flag, Number(index)) : '';
}

/** It never started: its disk is empty. */
const wasLaunched = ({ status, 'OS-SRV-USG:launched_at': launchedAt }: ServerRow): boolean =>
  launchedAt === undefined ? status !== 'BUILD' : launchedAt !== null;

function storeOf(row: ServerRow): ObservedStore[] {
  const store = storeIn(resourceOf(row), serverType);
  const sizeGib = row.flavor?.disk || null;
  return store ? [{ ...store, id: row.id, usable: wasLaunched(row), sizeGib }] : [];
}

const isCache = ({ metadata = {} }: ServerRow): boolean => cacheKey in metadata;

const byAge = (one: ServerRow, other: ServerRow): number =>
  timeOf(one.created) - timeOf(other.created) || (one.id < other.id ? -1 : 1);

const pageSize = 1000;
/** The first version of the interface in which a server has the name of its flavor. Older clouds ignore it. */
const microversion = 'compute 2.47';

const readAll = (client: Client): Promise<ServerRow[]> =>
  readPages<ServerRow>(
    (path) => observing(() => client.read<Page>({ service: 'compute', path, microversion })),
    { path: `/servers/detail?limit=${pageSize}`, member: 'servers', limit: pageSize },
  );

/** Lists the servers of all Almanac stacks in a region, by stack, in one paged call. Their metadata carries the stack id. */
export async function listServers(client: Client): Promise<ServersByStack> {
  // A cloud without servers has Heat alone, for tests.
  if (!(await client.session()).endpoint('compute', client.region)) return new Map();
  const byStack = new Map<string, ServerRow[]>();
  for (const row of (await readAll(client)).toSorted(byAge)) {
    const stackId = row.metadata?.[stackKey];
    if (stackId) byStack.set(stackId, [...(byStack.get(stackId) ?? []), row]);
  }
  return new Map(
    [...byStack].map(([stackId, rows]) => [
      stackId,
      {
        instances: rows.filter((row) => !isCache(row)).map(instanceOf),
        caches: rows.filter(isCache).map(cacheOf),
        stores: rows.flatMap(storeOf),
      },
    ]),
  );
}
