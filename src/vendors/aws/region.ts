import type { Clock } from '../../basics/clock.ts';
import { AdaptiveRead, type Reader } from '../shared/adaptive-read.ts';
import { RateBudget } from '../shared/rate-budget.ts';
import { type ReadResult, Sequence, SharedRead } from '../shared/shared-read.ts';
import { StackOperations } from '../shared/stack-operations.ts';
import type { CacheNode, DatabaseInstance } from '../vendor.ts';
import type { Clients } from './clients.ts';
import type { FindEventQueue } from './events/event-queues.ts';
import { listInstances, type Server } from './observe/list-instances.ts';
import { cacheReader, databaseReader } from './observe/list-services.ts';
import { type CloudStack, stackReader } from './observe/list-stacks.ts';
import { volumeReader } from './observe/list-volumes.ts';
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
  /** The region of the same partition that answers about the others. */
  home: () => Region;
  eventQueueOf: FindEventQueue;
  sequence: Sequence;
  stacks: AdaptiveRead<CloudStack>;
  instances: SharedRead<ReadonlyMap<string, readonly Server[]>>;
  /** Sizes in GiB by id. */
  volumes: AdaptiveRead<number>;
  databases: AdaptiveRead<DatabaseInstance>;
  caches: AdaptiveRead<readonly CacheNode[]>;
  /** Sizes in GiB to which volumes were grown, by id: AWS shows them a little later. */
  grown: Map<string, number>;
  operations: StackOperations<OperationHistory>;
}

/** Limit of reads by name. AWS publishes no limits; throttling starts far above. */
const nameBudget = { perSecond: 10, burst: 30 };

type RegionParts = Pick<Region, 'name' | 'clients' | 'clock' | 'role' | 'pollMs'>;

/** Without a home, the region is its own. */
export function makeRegion(parts: RegionParts & Partial<Pick<Region, 'home' | 'eventQueueOf'>>): Region {
  const sequence = new Sequence();
  const { clients, clock, pollMs: windowMs } = parts;
  const budget = new RateBudget(clock, nameBudget);
  const adaptive = <T>(reader: Reader<T>) => new AdaptiveRead({ clock, sequence, budget, reader, windowMs });
  const region: Region = {
    home: () => region,
    eventQueueOf: () => undefined,
    ...parts,
    sequence,
    stacks: adaptive(stackReader(clients)),
    instances: new SharedRead(clock, sequence, () => listInstances(clients)),
    volumes: adaptive(volumeReader(clients)),
    databases: adaptive(databaseReader(clients)),
    caches: adaptive(cacheReader(clients)),
    grown: new Map(),
    operations: new StackOperations(clock, sequence),
  };
  return region;
}

/** Finds a stack as CloudFormation shows it. Concurrent callers share the reads. */
export const findCloudStack = (
  { stacks, pollMs }: Region,
  stackId: string,
  maxAgeMs = pollMs,
): Promise<ReadResult<CloudStack | undefined>> => stacks.get(stackId, maxAgeMs);
