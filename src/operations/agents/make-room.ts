import type { Query } from '../../store/database/database.ts';
import type { NewEvent } from '../../store/stacks/events.ts';
import {
  countReports,
  deleteReports,
  type LastReport,
  listReports,
  type ReportTable,
} from '../../store/stacks/last-reports.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { Service } from '../service.ts';
import { foldedParts, tooMany } from './report-limits.ts';

const minuteMs = 60_000;
/** Without a report for so long, an agent or a container may leave the list, unless it is the last one of its instance. */
const staleMs = 10 * minuteMs;

export interface FirstReport {
  table: ReportTable;
  stack: StackRow;
  /** Of the agent or the container. */
  id: string;
  instanceId: string;
  now: number;
}

/** Reports about the instance itself, and the newest other one of each instance. */
function lastOfInstances(rows: readonly LastReport[], instances: ReadonlySet<string>): Set<string> {
  const newest = new Map<string, string>();
  for (const { id, instance_id } of rows)
    if (instances.has(instance_id) && !instances.has(id)) newest.set(instance_id, id);
  return new Set([...instances, ...newest.values()]);
}

/**
 * Whatever a program on one instance reports, agents of current instances stay heard: their reports replace those about
 * anything else, and then older ones about the same instance, so that the list has at most one more entry per instance.
 */
const isReplaceable =
  ({ table, instanceId }: FirstReport, instances: ReadonlySet<string>) =>
  ({ id, instance_id }: LastReport): boolean =>
    !instances.has(id) && (!instances.has(instance_id) || (table === 'agents' && instance_id === instanceId));

interface Removal {
  rows: readonly LastReport[];
  why: string;
}

/** What leaves a full list. Fails with `too_many_requests` if nothing may and the report has no place beyond the limit. */
function chooseRemoval(rows: readonly LastReport[], report: FirstReport, limit: number): Removal {
  const { table, stack, id, instanceId, now } = report;
  const instances = new Set(stack.view.instances.map((instance) => instance.id));
  const kept = lastOfInstances(rows, instances);
  const stale = rows.filter((row) => row.updated_at < now - staleMs && !kept.has(row.id));
  if (stale.length > 0) return { rows: stale, why: `without a report for ${staleMs / minuteMs} minutes` };
  const isOfInstance = instances.has(instanceId);
  const replaceable = isOfInstance ? rows.filter(isReplaceable(report, instances)) : [];
  const hasPlace = instances.has(id) || (isOfInstance && table === 'agents');
  if (replaceable.length === 0 && !hasPlace)
    throw tooMany(`Stack ${stack.id} already has ${limit} ${table} that report; this is not one of them`, 60);
  return { rows: replaceable, why: `replaced by ${id} on instance ${instanceId}` };
}

/**
 * Makes room for the first report of an agent or a container: in a full list the oldest entries that may leave are folded
 * into the returned event. Fails with `too_many_requests` if there are none.
 */
export async function makeRoom(
  { settings }: Service,
  query: Query,
  report: FirstReport,
): Promise<NewEvent[]> {
  const { table, stack, now } = report;
  const limit = settings.limits.containersPerStack;
  const count = (await countReports(query, table, [stack.id])).get(stack.id) ?? 0;
  if (limit === 0 || count < limit) return [];
  const { rows, why } = chooseRemoval(await listReports(query, table, stack.id), report, limit);
  const ids = rows.slice(0, Math.ceil(limit / foldedParts)).map(({ id }) => id);
  await deleteReports(query, table, { stackId: stack.id, ids });
  if (ids.length === 0) return [];
  const message = `${ids.length} ${table} ${why} were removed from the list, which holds ${limit}.`;
  return [{ at: now, kind: 'agent', resourceType: 'Summary', message, versionId: stack.desired_version }];
}
