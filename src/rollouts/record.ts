import type { Query } from '../store/database/database.ts';
import { listReportedInstances } from '../store/stacks/agents.ts';
import {
  type AppInstanceRow,
  deleteAppInstances,
  listAppInstances,
  saveAppInstance,
} from '../store/stacks/app-instances.ts';
import { type ContainerRow, listContainersOf } from '../store/stacks/containers.ts';
import { saveHealth } from '../store/stacks/health.ts';
import { currentRollouts, type RolloutRow, saveRollout } from '../store/stacks/rollouts.ts';
import type { StackRow } from '../store/stacks/stacks.ts';
import type { AppReport, Instance } from '../vendors/vendor.ts';
import { healthOf, type StackHealth } from './health.ts';
import { judged } from './judge.ts';

/** What is known about the application of a stack at one time. */
export interface Application {
  rollouts: readonly RolloutRow[];
  health: StackHealth;
}

interface Judging {
  stack: Pick<StackRow, 'id'>;
  instances: readonly Instance[];
  now: number;
}

const isExpected = ({ state }: Instance): boolean => state === 'running' || state === 'pending';

/** A row that names the same content is not written again, unless it is a sign of life. */
const isSame = (one: AppInstanceRow, other: AppInstanceRow): boolean =>
  one.revision === other.revision &&
  one.serving_revision === other.serving_revision &&
  one.state === other.state &&
  one.is_definite === other.is_definite &&
  one.reason === other.reason &&
  one.last_lines === other.last_lines &&
  one.flag === other.flag &&
  one.digest === other.digest;

interface Received {
  stackId: string;
  report: AppReport;
  /** How often the instance reports; 0: only changes. */
  everySeconds: number;
  before: AppInstanceRow | undefined;
  now: number;
}

/** True: it says something new. */
export async function receiveReport(query: Query, received: Received): Promise<boolean> {
  const { stackId, report, everySeconds, before, now } = received;
  const row: AppInstanceRow = {
    stack_id: stackId,
    instance_id: report.instanceId,
    flag: report.flag,
    revision: report.revision,
    serving_revision: report.serving,
    state: report.state,
    is_definite: report.isDefinite ? 1 : 0,
    since: before?.state === report.state && before.revision === report.revision ? before.since : now,
    reason: report.reason,
    last_lines: report.lastLines,
    image: report.image,
    digest: report.digest,
    reported_at: now,
    every_seconds: everySeconds,
  };
  const isNew = !before || !isSame(before, row);
  if (isNew || everySeconds > 0) await saveAppInstance(query, row);
  return isNew;
}

const forgetAfterMs = 10 * 60_000;

/** Reads everything that is known, and judges it. Writes nothing. */
export async function readApplication(
  query: Query,
  { stack, instances, now }: Judging,
): Promise<Application> {
  const rollouts = await currentRollouts(query, stack.id);
  const reports = await listAppInstances(query, stack.id);
  const flags = new Set(rollouts.map(({ flag }) => flag));
  const own = instances.filter((instance) => flags.has(instance.flag) && isExpected(instance));
  const byId = new Map(reports.map((report) => [report.instance_id, report]));
  const isComplete = own.every(({ id }) => byId.has(id));
  const mute = new Set(isComplete ? [] : await listReportedInstances(query, stack.id));
  const containers = isComplete ? [] : await listContainersOf(query, stack.id);
  return {
    rollouts: rollouts.map((row) => {
      const ids = own.filter(({ flag }) => flag === row.flag).map(({ id }) => id);
      return judged(row, { reports: new Map(ids.map((id) => [id, byId.get(id)])), mute }, now);
    }),
    health:
      rollouts.length === 0 ? { health: 'none', reason: '' } : healthOf(factsOf(own, byId, containers), now),
  };
}

const factsOf = (
  instances: readonly Instance[],
  reports: ReadonlyMap<string, AppInstanceRow>,
  containers: readonly ContainerRow[],
) =>
  instances.map(({ id }) => ({
    id,
    report: reports.get(id),
    container: containers.find(({ instance_id }) => instance_id === id),
  }));

/** Writes what changed. True: something did. */
export async function recordApplication(
  query: Query,
  { stack, now }: Pick<Judging, 'now'> & { stack: Pick<StackRow, 'id' | 'health' | 'health_reason'> },
  { rollouts, health }: Application,
): Promise<boolean> {
  let isChanged = false;
  const before = new Map((await currentRollouts(query, stack.id)).map((row) => [row.flag, row]));
  for (const row of rollouts) {
    const known = before.get(row.flag);
    if (!known || known.revision !== row.revision || isSameRollout(known, row)) continue;
    await saveRollout(query, row);
    isChanged = true;
  }
  if (stack.health === health.health && stack.health_reason === health.reason) return isChanged;
  await saveHealth(query, stack.id, { ...health, now });
  return true;
}

const isSameRollout = (one: RolloutRow, other: RolloutRow): boolean =>
  one.state === other.state &&
  one.deadline_at === other.deadline_at &&
  one.wanted === other.wanted &&
  one.serving === other.serving &&
  one.failing === other.failing &&
  one.reason === other.reason &&
  one.stays === other.stays;

/** Instances that no longer exist say nothing any more. One that no pass has seen yet is kept for a while. */
export async function forgetGone(query: Query, { stack, instances, now }: Judging): Promise<void> {
  const living = new Set(instances.map(({ id }) => id));
  const rows = await listAppInstances(query, stack.id);
  const gone = rows.filter(
    ({ instance_id: id, reported_at: at }) => !living.has(id) && at < now - forgetAfterMs,
  );
  await deleteAppInstances(
    query,
    stack.id,
    gone.map(({ instance_id }) => instance_id),
  );
}
