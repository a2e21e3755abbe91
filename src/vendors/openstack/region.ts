import type { Clock } from '../../basics/clock.ts';
import type { ObservedStore } from '../data.ts';
import { AdaptiveRead } from '../shared/adaptive-read.ts';
import type { InTurn } from '../shared/poll.ts';
import { RateBudget } from '../shared/rate-budget.ts';
import { RecentMap } from '../shared/recent-map.ts';
import { type ReadResult, Sequence, SharedRead } from '../shared/shared-read.ts';
import { StackOperations } from '../shared/stack-operations.ts';
import type { Output } from '../vendor.ts';
import type { CloudFacts } from './choose/cloud-facts.ts';
import type { Client } from './client.ts';
import type { Dialect } from './dialect.ts';
import { readFacts } from './facts/read-facts.ts';
import { type Leftover, listLeftovers } from './observe/leftovers.ts';
import { type DatabasesByStack, listDatabases } from './observe/list-databases.ts';
import { listServers, type ServersByStack } from './observe/list-servers.ts';
import { type HeatStack, stackReader } from './observe/list-stacks.ts';
import { type DataVolume, listVolumes } from './observe/list-volumes.ts';
import type { OperationHistory } from './observe/operation-history.ts';

/** One credential in one region: its client, the reads all stacks share, and what this server knows about the stacks. */
export interface Region {
  name: string;
  client: Client;
  clock: Clock;
  dialect: Dialect;
  /** Poll interval of a changing stack during its first minute. */
  pollMs: number;
  /** What choices are made from. */
  facts: CloudFacts;
  sequence: Sequence;
  stacks: AdaptiveRead<HeatStack>;
  servers: SharedRead<ServersByStack>;
  databases: SharedRead<DatabasesByStack>;
  volumes: SharedRead<readonly DataVolume[]>;
  /** Read only when a stack is absent. */
  leftovers: SharedRead<readonly Leftover[]>;
  operations: StackOperations<OperationHistory>;
  /** When this server last asked to delete what a deleted stack left; what that was, and since when it is the same. */
  sweeps: Map<string, { at: number; left: string; since: number }>;
  /** What was read once when the last operation of a stack ended, with the state in which it was read. */
  outputs: RecentMap<{ state: string; outputs: readonly Output[] }>;
  ownStores: RecentMap<{ state: string; stores: readonly ObservedStore[] }>;
  hiddenFailures: RecentMap<{ state: string; reason: string | undefined }>;
  /** Time limits of operations in progress. */
  limits: RecentMap<{ state: string; limitMs: number }>;
  /** When this server last informed Heat which servers of a stack are up, and whether no wait for them is left. */
  reportedUp: RecentMap<{ at: number; instanceIds: ReadonlySet<string>; isDone: boolean }>;
  /** Applies in progress, by stack: Heat does not reject two creations of the same name at the same moment. */
  applying: Map<string, Promise<unknown>>;
}

/** Limit of reads by name. */
const nameBudget = { perSecond: 10, burst: 30 };

type RegionParts = Pick<Region, 'client' | 'clock' | 'dialect' | 'pollMs'>;

export function makeRegion(parts: RegionParts): Region {
  const { client, clock, dialect, pollMs: windowMs } = parts;
  const sequence = new Sequence();
  const budget = new RateBudget(clock, nameBudget);
  const reader = stackReader(client, dialect.capabilities.tags);
  return {
    ...parts,
    name: client.region,
    facts: readFacts(client, clock),
    sequence,
    stacks: new AdaptiveRead({ clock, sequence, budget, reader, windowMs }),
    servers: new SharedRead(clock, sequence, () => listServers(client)),
    databases: new SharedRead(clock, sequence, () => listDatabases(client)),
    volumes: new SharedRead(clock, sequence, () => listVolumes(client)),
    leftovers: new SharedRead(clock, sequence, () => listLeftovers(parts)),
    operations: new StackOperations(clock, sequence),
    sweeps: new Map(),
    outputs: new RecentMap(clock),
    ownStores: new RecentMap(clock),
    hiddenFailures: new RecentMap(clock),
    limits: new RecentMap(clock),
    reportedUp: new RecentMap(clock),
    applying: new Map(),
  };
}

/** The same region, for surveys: what all stacks share is read as ever. */
export function readingInTurn(region: Region, inTurn: InTurn): Region {
  const { client } = region;
  return {
    ...region,
    client: {
      region: client.region,
      isApplication: client.isApplication,
      session: () => client.session(),
      newSession: () => client.newSession(),
      read: (request) => inTurn(() => client.read(request)),
      change: (request) => client.change(request),
    },
  };
}

/** Finds a stack as Heat lists it. Concurrent callers share the reads. */
export const findHeatStack = (
  { stacks, pollMs }: Region,
  stackId: string,
  maxAgeMs = pollMs,
): Promise<ReadResult<HeatStack | undefined>> => stacks.get(stackId, maxAgeMs);
