import type { Clock } from '../../basics/clock.ts';
import { Order, type Reading, SharedReading } from '../shared/shared-reading.ts';
import type { CacheNode, DatabaseInstance, Instance } from '../vendor.ts';
import type { Clients } from './clients.ts';
import { listInstances } from './observe/list-instances.ts';
import { listCaches, listDatabases } from './observe/list-services.ts';
import { type CloudStack, listStacks } from './observe/list-stacks.ts';
import type { Story } from './observe/story.ts';

/** One credential in one region: its services, what is shared by all stacks there, and what this server knows of them. */
export interface Region {
  name: string;
  clients: Clients;
  clock: Clock;
  /** The role CloudFormation makes things with; null: with the key's own rights. */
  role: string | null;
  /** How often something that changes is looked at, in its first minute. */
  pollMs: number;
  order: Order;
  stacks: SharedReading<ReadonlyMap<string, CloudStack>>;
  instances: SharedReading<ReadonlyMap<string, readonly Instance[]>>;
  databases: SharedReading<ReadonlyMap<string, DatabaseInstance>>;
  caches: SharedReading<ReadonlyMap<string, readonly CacheNode[]>>;
  /** What CloudFormation accepted from this server and no reading can show yet, by stack. */
  accepted: Map<string, Accepted>;
  /** Stacks seen changing: how that went is read once, when it has ended. */
  changing: Set<string>;
  /** How operations went, by stack, each with the state it was read in. */
  stories: Map<string, { state: string; story: Story }>;
}

export interface Accepted {
  order: number;
  doing: 'apply' | 'remove';
  version: string;
}

export function makeRegion(parts: Pick<Region, 'name' | 'clients' | 'clock' | 'role' | 'pollMs'>): Region {
  const order = new Order();
  const { clients, clock } = parts;
  const shared = <T>(read: (clients: Clients) => Promise<T>) =>
    new SharedReading(clock, order, () => read(clients));
  return {
    ...parts,
    order,
    stacks: shared(listStacks),
    instances: shared(listInstances),
    databases: shared(listDatabases),
    caches: shared(listCaches),
    accepted: new Map(),
    changing: new Set(),
    stories: new Map(),
  };
}

/** A stack as CloudFormation shows it now, or undefined. One call for all stacks of the region, shared by who asks at once. */
export async function findCloudStack(
  { stacks, pollMs }: Region,
  stackId: string,
  maxAgeMs = pollMs,
): Promise<Reading<CloudStack | undefined>> {
  const { order, value } = await stacks.get(maxAgeMs);
  return { order, value: value.get(stackId) };
}

/** CloudFormation took a step: readings that began before tell nothing about it. */
export function noteAccepted(region: Region, stackId: string, what: Omit<Accepted, 'order'>): void {
  region.accepted.set(stackId, { ...what, order: region.order.next() });
  region.changing.add(stackId);
  region.stories.delete(stackId);
}

const maxStories = 200;

/** Only the latest are kept: what has been told once is in the events of the stack. */
export function keepStory({ stories }: Region, stackId: string, told: { state: string; story: Story }): void {
  stories.delete(stackId);
  stories.set(stackId, told);
  const [oldest] = stories.keys();
  if (stories.size > maxStories && oldest !== undefined) stories.delete(oldest);
}
