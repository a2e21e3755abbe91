import type { Query } from '../store/database/database.ts';
import { lastHeard } from '../store/stacks/agents.ts';
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
import { type Heard, judged } from './judge.ts';

/** What is known about the application of a stack at one time. */
export interface Application {
  rollouts: readonly RolloutRow[];
  health: StackHealth;
}

interface Judging {
  stack: Pick<StackRow, 'id'>;
  instances: readonly Instance[];
  now: number;
  /** The vendor is done: all instances that should serve are known. */
  isSettled: boolean;
  /** What is known about a rollout before its reports are read. */
  before?: (row: RolloutRow) => RolloutRow;
}

const isExpected = ({ state }: Instance): boolean => state === 'running' || state === 'pending';
const isStopped = ({ state }: Instance): boolean => state === 'stopped' || state === 'stopping';

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
  if (before && isSame(before, row)) return false;
  await saveAppInstance(query, row);
  return true;
}

const forgetAfterMs = 10 * 60_000;

/** Agents repeat what they said as a heartbeat; vendors are asked in passes. */
const withHeard = (report: AppInstanceRow, heard: ReadonlyMap<string, number>): Heard => ({
  ...report,
  heard_at: Math.max(report.reported_at, heard.get(report.instance_id) ?? 0),
});

/** The last report of each instance, and when it was heard last. */
export async function heardReports(query: Query, stackId: string): Promise<Heard[]> {
  const heard = await lastHeard(query, stackId);
  return (await listAppInstances(query, stackId)).map((report) => withHeard(report, heard));
}

/** Reads everything that is known, and judges it. Writes nothing. */
export async function readApplication(
  query: Query,
  { stack, instances, now, isSettled, before = (row) => row }: Judging,
): Promise<Application> {
  const rollouts = (await currentRollouts(query, stack.id)).map(before);
  const reports = await listAppInstances(query, stack.id);
  const flags = new Set(rollouts.map(({ flag }) => flag));
  const own = instances.filter((instance) => flags.has(instance.flag) && isExpected(instance));
  const heard = await lastHeard(query, stack.id);
  const byId = new Map(reports.map((report) => [report.instance_id, withHeard(report, heard)]));
  const seen = instances.filter(
    (instance) => flags.has(instance.flag) && (isExpected(instance) || isStopped(instance)),
  );
  const isComplete = own.every(({ id }) => byId.has(id));
  const containers = isComplete ? [] : await listContainersOf(query, stack.id);
  const mute = muteOf({ own, heard, containers, now });
  return {
    rollouts: rollouts.map((row) => {
      const ids = own.filter(({ flag }) => flag === row.flag).map(({ id }) => id);
      return judged(row, { reports: new Map(ids.map((id) => [id, byId.get(id)])), mute, isSettled }, now);
    }),
    health:
      rollouts.length === 0 ? { health: 'none', reason: '' } : healthOf(factsOf(seen, byId, containers), now),
  };
}

/** An agent that does not say where it runs may be on any instance, as long as it reports. */
function muteOf({ own, heard, containers, now }: MuteFacts): ReadonlySet<string> {
  const times = [...heard, ...containers.map((row) => [row.instance_id, row.updated_at] as const)];
  if (times.some(([id, at]) => id === '' && now - at < forgetAfterMs))
    return new Set(own.map(({ id }) => id));
  return new Set(times.map(([id]) => id));
}

interface MuteFacts {
  own: readonly Instance[];
  heard: ReadonlyMap<string, number>;
  containers: readonly ContainerRow[];
  now: number;
}

const factsOf = (
  instances: readonly Instance[],
  reports: ReadonlyMap<string, Heard>,
  containers: readonly ContainerRow[],
) =>
  instances.map((instance) => ({
    id: instance.id,
    isStopped: isStopped(instance),
    report: reports.get(instance.id),
    container: containers.find(({ instance_id: id }) => id === instance.id),
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
export async function forgetGone(
  query: Query,
  { stack, instances, now }: Omit<Judging, 'isSettled'>,
): Promise<void> {
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
