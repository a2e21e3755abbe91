import { offsetTime } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import type { Query } from '../../store/database/database.ts';
import { foldAgentEvents } from '../../store/stacks/agent-events.ts';
import { addEvents, type NewEvent } from '../../store/stacks/events.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { Service } from '../service.ts';
import { CountedEvents } from './counted-events.ts';

const minuteMs = 60_000;
/** So many parts of a full list are folded at once, so that not every report has to. */
export const foldedParts = 10;
/** A report does not wait for more: the next ones fold the rest, for example after the limit was lowered. */
const maxFolded = 5000;

export const tooMany = (message: string, retryAfter: number): Failure =>
  new Failure('too_many_requests', message, {
    description: 'The report was not recorded. Send it again later.',
    retryAfter,
  });

const ofLastMinute = new CountedEvents(minuteMs);
const ofAllTimes = new CountedEvents(Infinity);

/** A stack, and the number of its last event. */
interface Counted {
  stackId: string;
  last: number;
  now: number;
}

interface Flood extends Counted {
  /** Events that are not stored yet. */
  pending?: number;
}

/** Fails with `too_many_requests` if no further event may be added now. */
export async function refuseFlood(
  { settings, database }: Service,
  query: Query,
  { pending = 0, ...counted }: Flood,
): Promise<void> {
  const { agentEventsPerMinute: perMinute } = settings.limits;
  if (perMinute === 0) return;
  const left = perMinute - pending;
  if (left > 0 && (await ofLastMinute.moreThan(left - 1, { database, query }, counted)) < left) return;
  throw tooMany(`The agents of stack ${counted.stackId} reported ${perMinute} changes within a minute`, 30);
}

/** Keeps a limited number of the events of agents. */
export async function foldOldEvents(
  { settings, database }: Service,
  query: Query,
  counted: Counted,
): Promise<void> {
  const { agentEventsKept: kept } = settings.limits;
  if (kept === 0) return;
  const excess = (await ofAllTimes.moreThan(kept, { database, query }, counted)) - kept;
  if (excess <= 0) return;
  await foldAgentEvents(query, {
    stackId: counted.stackId,
    count: Math.min(excess + Math.ceil(kept / foldedParts), maxFolded),
    describe: (reports, lastAt) =>
      `${reports} older reports of agents, up to ${offsetTime(lastAt)}, were combined into this entry.`,
  });
}

interface ReportedEvents {
  /** As it was read in the same transaction. */
  stack: Pick<StackRow, 'id' | 'event_count'>;
  now: number;
  events: readonly NewEvent[];
  /** Recorded at any rate. */
  isUrgent: boolean;
}

/** Adds the events of a report, or fails with `too_many_requests`. */
export async function addReportedEvents(
  service: Service,
  query: Query,
  { stack: { id: stackId, event_count: last }, now, events, isUrgent }: ReportedEvents,
): Promise<number> {
  if (!isUrgent) await refuseFlood(service, query, { stackId, last, now });
  const added = await addEvents(query, stackId, events);
  await foldOldEvents(service, query, { stackId, last: last + added, now });
  return added;
}
