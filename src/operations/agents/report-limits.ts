import { offsetTime } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import type { Query } from '../../store/database/database.ts';
import { countAgentEvents, foldAgentEvents } from '../../store/stacks/agent-events.ts';
import { addEvents, type NewEvent } from '../../store/stacks/events.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import { countReports, deleteStaleReports, type ReportTable } from '../../store/stacks/stale-reports.ts';
import type { Service } from '../service.ts';

const minuteMs = 60_000;
/** Without a report for so long, an agent or a container that is not of a current instance may leave the list. */
const staleMs = 10 * minuteMs;
/** So many parts of a full list are folded at once, so that not every report has to. */
const foldedParts = 10;

const tooMany = (message: string, retryAfter: number): Failure =>
  new Failure('too_many_requests', message, {
    description: 'The report was not recorded. Send it again later.',
    retryAfter,
  });

/**
 * Makes room for the first report of an agent or a container: in a full list the oldest entries that are not about current
 * instances are folded into the returned event. Fails with `too_many_requests` if there are none.
 */
export async function makeRoom(
  { settings }: Service,
  query: Query,
  { table, stack, now }: { table: ReportTable; stack: StackRow; now: number },
): Promise<NewEvent[]> {
  const limit = settings.limits.containersPerStack;
  if (limit === 0 || (await countReports(query, table, stack.id)) < limit) return [];
  const folded = await deleteStaleReports(query, table, {
    stackId: stack.id,
    before: now - staleMs,
    instances: new Set(stack.view.instances.map(({ id }) => id)),
    limit: Math.ceil(limit / foldedParts),
  });
  if (folded === 0)
    throw tooMany(`Stack ${stack.id} already has ${limit} ${table} that report; this is not one of them`, 60);
  return [
    {
      at: now,
      kind: 'agent',
      resourceType: 'Summary',
      message: `${folded} ${table} without a report for ${staleMs / minuteMs} minutes were removed from the list, which holds ${limit}.`,
      versionId: stack.desired_version,
    },
  ];
}

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
      count: excess + Math.ceil(kept / foldedParts),
      describe: (reports, lastAt) =>
        `${reports} older reports of agents, up to ${offsetTime(lastAt)}, were combined into this entry.`,
    });
  return added;
}
