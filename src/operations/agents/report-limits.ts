import { offsetTime } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import type { Query } from '../../store/database/database.ts';
import { countAgentEvents, foldAgentEvents } from '../../store/stacks/agent-events.ts';
import { addEvents, type NewEvent } from '../../store/stacks/events.ts';
import type { Service } from '../service.ts';

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
  stackId: string;
  now: number;
  events: readonly NewEvent[];
  /** Recorded at any rate. */
  isUrgent?: boolean;
}

/** Adds the events of a report, or fails with `too_many_requests`. Keeps a limited number of them. */
export async function addReportedEvents(
  { settings }: Service,
  query: Query,
  { stackId, now, events, isUrgent = false }: ReportedEvents,
): Promise<number> {
  const { agentEventsPerMinute: perMinute, agentEventsKept: kept } = settings.limits;
  if (perMinute > 0 && !isUrgent && (await countAgentEvents(query, stackId, now - minuteMs + 1)) >= perMinute)
    throw tooMany(`The agents of stack ${stackId} reported ${perMinute} changes within a minute`, 30);
  const added = await addEvents(query, stackId, events);
  const excess = kept === 0 ? 0 : (await countAgentEvents(query, stackId, 0)) - kept;
  if (excess > 0)
    await foldAgentEvents(query, {
      stackId,
      count: Math.min(excess + Math.ceil(kept / foldedParts), maxFolded),
      describe: (reports, lastAt) =>
        `${reports} older reports of agents, up to ${offsetTime(lastAt)}, were combined into this entry.`,
    });
  return added;
}
