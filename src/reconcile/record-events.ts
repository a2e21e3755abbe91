import type { Query } from '../store/database/database.ts';
import { readEventsKeptFrom } from '../store/retention/old-events.ts';
import { addEvents, type NewEvent, withoutKnown } from '../store/stacks/events.ts';
import type { Claim } from '../store/stacks/schedule.ts';

const dayMs = 86_400_000;

/** Vendors also list events that were deleted here long ago, at least a day: those do not come back. */
const mayBeDeleted = (now: number) => (event: NewEvent) =>
  event.vendorEventId !== undefined && event.at < now - dayMs;

interface PassEvents {
  events: readonly NewEvent[];
  now: number;
}

/** New events are counted by the statement that records the pass. Null: whether they are new is known only after it. */
export const newEvents = async (query: Query, claim: Claim, { events, now }: PassEvents) =>
  events.some(mayBeDeleted(now)) ? null : withoutKnown(query, claim.id, events);

export async function addLater(query: Query, claim: Claim, { events, now }: PassEvents): Promise<number> {
  const isOld = mayBeDeleted(now);
  // Read again: they may have been deleted during the pass.
  const keptFrom = events.some(isOld) ? ((await readEventsKeptFrom(query, claim.id)) ?? 0) : 0;
  const kept = events.filter((event) => !isOld(event) || event.at >= keptFrom);
  return addEvents(query, claim.id, kept);
}
