import type { Clock } from '../../basics/clock.ts';
import type { Clients } from './clients.ts';
import { type CloudStack, listStacks } from './list-stacks.ts';
import { Order, type Reading, SharedReading } from './shared-reading.ts';

/** One credential in one region: its services, and what all stacks there have in common. */
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
}

export function makeRegion(parts: Pick<Region, 'name' | 'clients' | 'clock' | 'role' | 'pollMs'>): Region {
  const order = new Order();
  const { clients, clock } = parts;
  return { ...parts, order, stacks: new SharedReading(clock, order, () => listStacks(clients)) };
}

/** A stack as CloudFormation shows it now, or undefined. One call for all stacks of the region, shared by who asks at once. */
export async function findCloudStack(
  { stacks }: Region,
  stackId: string,
  maxAgeMs = 0,
): Promise<Reading<CloudStack | undefined>> {
  const { order, value } = await stacks.get(maxAgeMs);
  return { order, value: value.get(stackId) };
}
