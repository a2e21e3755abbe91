import type { Clock } from '../../basics/clock.ts';
import type { KeptStore } from '../data.ts';
import { AdaptiveRead } from '../shared/adaptive-read.ts';
import type { InTurn } from '../shared/poll.ts';
import { RateBudget } from '../shared/rate-budget.ts';
import { RecentMap } from '../shared/recent-map.ts';
import { type ReadResult, Sequence, SharedRead } from '../shared/shared-read.ts';
import { StackOperations } from '../shared/stack-operations.ts';
import type { CacheNode, DatabaseInstance, Instance } from '../vendor.ts';
import type { CloudFacts } from './choose/cloud-facts.ts';
import type { Clients } from './clients.ts';
import { readFacts } from './facts/read-facts.ts';
import { listInstances } from './observe/list-instances.ts';
import { type DatabaseRow, listCaches, listDatabases } from './observe/list-services.ts';
import { type CloudStack, stackReader } from './observe/list-stacks.ts';
import { listRemoving } from './observe/members.ts';
import type { OperationHistory } from './observe/operation-history.ts';
import type { Placed } from './observe/placed.ts';
import type { StackDetails } from './observe/stack-details.ts';

/** One credential in one region: its clients, the reads all stacks share, and what this server knows about the stacks. */
export interface Region {
  name: string;
  clients: Clients;
  clock: Clock;
  /** Name of the role that ROS uses; null: the permissions of the key. */
  role: string | null;
  /** Poll interval of a changing stack during its first minute. */
  pollMs: number;
  /** What choices are made from. */
  facts: CloudFacts;
  stacks: AdaptiveRead<CloudStack>;
  instances: SharedRead<ReadonlyMap<string, readonly Instance[]>>;
  /** Ids of servers that their groups are removing. */
  removing: SharedRead<ReadonlySet<string>>;
  databases: SharedRead<ReadonlyMap<string, DatabaseRow>>;
  caches: SharedRead<ReadonlyMap<string, CacheNode>>;
  operations: StackOperations<OperationHistory>;
  /** What only a read of the single stack shows, with the state in which it was read. */
  details: RecentMap<StackDetails>;
  /** Resources with data of a stack that failed, with the state in which they were read. */
  placed: RecentMap<{ state: string; placed: readonly Placed[] }>;
  /** What only a read of the single database shows, by its id, with the state of the stack. */
  databaseDetails: RecentMap<{ state: string; details: Pick<DatabaseInstance, 'storageGib' | 'port'> }>;
  /** Deletions that failed because something was still in use: when that was seen first, and whether they were repeated. */
  conflicts: RecentMap<{ at: number; isRepeated: boolean }>;
  /** Last backups of databases that this server asked for, by database and request: the backups that existed before. */
  lastBackups: RecentMap<ReadonlySet<string>>;
  /** What was kept of stacks a moment ago: RDS lists it only later. */
  kept: RecentMap<readonly KeptStore[]>;
  /** Ids of drift checks that this server started. */
  driftChecks: RecentMap<string>;
}

/** Limit of reads by name. The limiter of calls is lower. */
const nameBudget = { perSecond: 10, burst: 30 };

type RegionParts = Pick<Region, 'clients' | 'clock' | 'role' | 'pollMs'>;

export function makeRegion(parts: RegionParts): Region {
  const { clients, clock, pollMs: windowMs } = parts;
  const sequence = new Sequence();
  const budget = new RateBudget(clock, nameBudget);
  const shared = <T>(read: (clients: Clients) => Promise<T>) =>
    new SharedRead(clock, sequence, () => read(clients));
  return {
    ...parts,
    name: clients.region,
    facts: readFacts(clients, clock),
    stacks: new AdaptiveRead({ clock, sequence, budget, reader: stackReader(clients), windowMs }),
    instances: shared(listInstances),
    removing: shared(listRemoving),
    databases: shared(listDatabases),
    caches: shared(listCaches),
    operations: new StackOperations(clock, sequence),
    details: new RecentMap(clock),
    placed: new RecentMap(clock),
    databaseDetails: new RecentMap(clock),
    conflicts: new RecentMap(clock),
    lastBackups: new RecentMap(clock),
    kept: new RecentMap(clock),
    driftChecks: new RecentMap(clock),
  };
}

/** The same region, for surveys: what all stacks share is read as ever. */
export const readingInTurn = (region: Region, inTurn: InTurn): Region => ({
  ...region,
  clients: { ...region.clients, call: (request) => inTurn(() => region.clients.call(request)) },
});

/** Reads a stack, whatever was read before. */
export async function readNow(region: Region, stackId: string): Promise<CloudStack | undefined> {
  region.stacks.forget();
  return (await findCloudStack(region, stackId, 0)).value ?? readByName(region, stackId);
}

/** Confirms that there is no stack: a list of several pages misses one if others are deleted while it is read. */
export const readByName = ({ clients }: Region, stackId: string): Promise<CloudStack | undefined> =>
  stackReader(clients).one(stackId);

/** Finds a stack as ROS lists it. Concurrent callers share the reads. */
export const findCloudStack = (
  { stacks, pollMs }: Region,
  stackId: string,
  maxAgeMs = pollMs,
): Promise<ReadResult<CloudStack | undefined>> => stacks.get(stackId, maxAgeMs);
