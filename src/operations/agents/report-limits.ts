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

export interface ReportedEvents {
  /** As it was read in the same transaction. */
  stack: Pick<StackRow, 'id' | 'event_count'>;
  now: number;
  events: readonly NewEvent[];
  /** Recorded at any rate. */
  isUrgent?: boolean;
}

const ofLastMinute = new CountedEvents(minuteMs);
const ofAllTimes = new CountedEvents(Infinity);

/** Adds the events of a report, or fails with `too_many_requests`. Keeps a limited number of them. */
export async function addReportedEvents(
  { settings, database }: Service,
  query: Query,
  { stack: { id: stackId, event_count: last }, now, events, isUrgent = false }: ReportedEvents,
): Promise<number> {
  const { agentEventsPerMinute: perMinute, agentEventsKept: kept } = settings.limits;
  const source = { database, query };
  if (
    perMinute > 0 &&
    !isUrgent &&
    (await ofLastMinute.moreThan(perMinute - 1, source, { stackId, last, now })) >= perMinute
  )
    throw tooMany(`The agents of stack ${stackId} reported ${perMinute} changes within a minute`, 30);
  const added = await addEvents(query, stackId, events);
  if (kept === 0) return added;
  const excess = (await ofAllTimes.moreThan(kept, source, { stackId, last: last + added, now })) - kept;
  if (excess > 0)
    await foldAgentEvents(query, {
      stackId,
      count: Math.min(excess + Math.ceil(kept / foldedParts), maxFolded),
      describe: (reports, lastAt) =>
        `${reports} older reports of agents, up to ${offsetTime(lastAt)}, were combined into this entry.`,
    });
  return added;
}
