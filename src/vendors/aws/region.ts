import type { Clock } from '../../basics/clock.ts';
import { type ReadResult, Sequence, SharedRead } from '../shared/shared-read.ts';
import type { CacheNode, DatabaseInstance, Instance } from '../vendor.ts';
import type { Clients } from './clients.ts';
import { listInstances } from './observe/list-instances.ts';
import { listCaches, listDatabases } from './observe/list-services.ts';
import { type CloudStack, listStacks } from './observe/list-stacks.ts';
import type { OperationHistory } from './observe/operation-history.ts';

/** One credential in one region: its clients, the reads all stacks share, and what this server knows about the stacks. */
export interface Region {
  name: string;
  clients: Clients;
  clock: Clock;
  /** The role CloudFormation uses; null: the permissions of the key. */
  role: string | null;
  /** Poll interval of a changing stack during its first minute. */
  pollMs: number;
  sequence: Sequence;
  stacks: SharedRead<ReadonlyMap<string, CloudStack>>;
  instances: SharedRead<ReadonlyMap<string, readonly Instance[]>>;
  databases: SharedRead<ReadonlyMap<string, DatabaseInstance>>;
  caches: SharedRead<ReadonlyMap<string, readonly CacheNode[]>>;
  /** Operations that CloudFormation accepted from this server and that no read shows yet, by stack. */
  accepted: Map<string, AcceptedOperation>;
  /** Stacks seen changing. Their events are read once, when the operation ends. */
  changing: Set<string>;
  /** The last operation of each stack, with the state in which it was read. */
  histories: Map<string, { state: string; history: OperationHistory }>;
}

interface AcceptedOperation {
  order: number;
  doing: 'apply' | 'remove';
  version: string;
}

export function makeRegion(parts: Pick<Region, 'name' | 'clients' | 'clock' | 'role' | 'pollMs'>): Region {
  const sequence = new Sequence();
  const { clients, clock } = parts;
  const shared = <T>(read: (clients: Clients) => Promise<T>) =>
    new SharedRead(clock, sequence, () => read(clients));
  return {
    ...parts,
    sequence,
    stacks: shared(listStacks),
    instances: shared(listInstances),
    databases: shared(listDatabases),
    caches: shared(listCaches),
    accepted: new Map(),
    changing: new Set(),
    histories: new Map(),
  };
}

/** Finds a stack as CloudFormation shows it. One call reads all stacks of the region; concurrent callers share it. */
export async function findCloudStack(
  { stacks, pollMs }: Region,
  stackId: string,
  maxAgeMs = pollMs,
): Promise<ReadResult<CloudStack | undefined>> {
  const { order, value } = await stacks.get(maxAgeMs);
  return { order, value: value.get(stackId) };
}

/** Records that CloudFormation accepted an operation: reads that started earlier do not show it. */
export function recordAccepted(
  region: Region,
  stackId: string,
  operation: Omit<AcceptedOperation, 'order'>,
): void {
  region.accepted.set(stackId, { ...operation, order: region.sequence.next() });
  region.changing.add(stackId);
  region.histories.delete(stackId);
}

const maxHistories = 200;

/** Keeps only the latest: older ones are already stored as events of the stack. */
export function cacheHistory(
  { histories }: Region,
  stackId: string,
  entry: { state: string; history: OperationHistory },
): void {
  histories.delete(stackId);
  histories.set(stackId, entry);
  const [oldest] = histories.keys();
  if (histories.size > maxHistories && oldest !== undefined) histories.delete(oldest);
}
