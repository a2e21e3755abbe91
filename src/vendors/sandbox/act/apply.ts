import type { Release } from '../../data.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { networksPerRegion } from '../catalog.ts';
import type { Resource, SandboxAccount, SandboxStack, Step } from '../cloud.ts';
import { snapshotRemoved, snapshotsAt } from '../data.ts';
import type { SandboxDocument } from '../document.ts';
import { eventsToKeep } from '../events.ts';
import { type PlanContext, planChanges, planDeletions, planRollback } from '../plan/plan.ts';
import { cutAtFailure, type SimulationTime } from '../plan/schedule.ts';
import { startingPointOf } from '../plan/starting-point.ts';
import { finalResources, networksHeld, phaseOf } from '../timeline.ts';
import { takeScriptedFailure, userOfShared } from './faults.ts';
import { keptHook } from './lifecycle-hook.ts';

/** `apply` and `remove`, inside one transaction on the cloud account. */

interface Application {
  stack: StackOnVendor;
  document: SandboxDocument;
  version: string;
  releases: readonly Release[];
}

export function applyStack(
  account: SandboxAccount,
  { stack: { id, region }, document, version, releases }: Application,
  time: SimulationTime,
): void {
  const current = account.stacks.get(id);
  if (current && isAppliedOrInProgress(current, version, time.now)) return;
  const context = planContext(account, { stackId: id, version, turns: current?.turns ?? 0 }, time);
  const start = startingPointOf(current, time.now);
  const planned = planChanges(start, document, context);
  snapshotRemoved(planned, releases);
  markFailures(account, { id, region, creations: planned.filter(isCreation) }, time.now);
  const { started, failed } = cutAtFailure(planned);
  const rollback = failed ? planRollback(start, { started, failedAt: failed.endsAt }, context) : [];
  snapshotRemoved(rollback, []);
  const failure = failed ? `${named(failed.resource)}: ${failed.failure}` : null;
  account.stacks.set(id, {
    ...history(current, time.now),
    ...timelineOf(start.base, [...start.inProgress, ...started, ...rollback], time.now),
    stackId: id,
    region,
    version,
    doing: 'apply',
    failure,
    outputs: document.outputs,
  });
}

interface Removal {
  id: string;
  releases: readonly Release[];
}

export function removeStack(account: SandboxAccount, { id, releases }: Removal, time: SimulationTime): void {
  const current = account.stacks.get(id);
  if (!current || isRemovedOrInProgress(current, time.now)) return;
  const start = startingPointOf(current, time.now);
  const planned = planDeletions(
    start,
    planContext(account, { stackId: id, version: current.version, turns: current.turns }, time),
  );
  for (const step of planned) {
    const other = userOfShared(account.faults, id, step.resource.name);
    if (other) step.failure = `is in use by stack ${other}`;
  }
  snapshotRemoved(planned, releases);
  const { started, failed } = cutAtFailure(planned);
  account.stacks.set(id, {
    ...current,
    ...history(current, time.now),
    ...timelineOf(start.base, [...start.inProgress, ...started], time.now),
    doing: 'remove',
    failure: failed ? `${named(failed.resource)} ${failed.failure}` : null,
  });
}

/** A resource that a stack has once has the name of its type. */
const named = ({ type, name }: Pick<Resource, 'type' | 'name'>): string =>
  type === name ? name : `${type} ${name}`;

/** Repeating an apply changes nothing, unless it failed: then it is retried. */
const isAppliedOrInProgress = (stack: SandboxStack, version: string, now: number): boolean =>
  stack.doing === 'apply' && stack.version === version && phaseOf(stack, now) !== 'broken';

const isRemovedOrInProgress = (stack: SandboxStack, now: number): boolean =>
  stack.doing === 'remove' && phaseOf(stack, now) !== 'broken';

const planContext = (
  { stacks }: SandboxAccount,
  { stackId, version, turns }: Pick<SandboxStack, 'stackId' | 'version' | 'turns'>,
  { now, speed }: SimulationTime,
): PlanContext => ({
  stackId,
  turn: `${version}:${turns + 1}`,
  now,
  speed,
  contentIn: (snapshot) =>
    [...stacks.values()].flatMap((stack) => snapshotsAt(stack, now)).find(({ id }) => id === snapshot)
      ?.content,
});

/** The members of a stack that a new plan takes over from the previous one. */
function history(
  current: SandboxStack | undefined,
  now: number,
): Pick<SandboxStack, 'turns' | 'pastEvents' | 'outputsBefore' | 'lifecycleHook' | 'snapshots'> {
  if (!current) return { turns: 1, pastEvents: [], outputsBefore: [] };
  const outputsBefore = { settled: current.outputs, gone: [], busy: null, broken: null }[
    phaseOf(current, now)
  ];
  return {
    turns: current.turns + 1,
    pastEvents: eventsToKeep(current, now),
    outputsBefore: outputsBefore ?? current.outputsBefore,
    ...keptHook(current, now),
    snapshots: snapshotsAt(current, now),
  };
}

const isNetwork = ({ type }: Resource): boolean => type === 'VirtualNetwork';
const isCreation = ({ action }: Step): boolean => action === 'create';

/** The members of a stack that follow from the steps. */
function timelineOf(
  base: Resource[],
  steps: Step[],
  now: number,
): Pick<SandboxStack, 'base' | 'steps' | 'endsAt' | 'networks' | 'networksUntil'> {
  const networkSteps = steps.filter((step) => isNetwork(step.resource) && step.failure === null);
  const hasNetwork = base.some(isNetwork) || networkSteps.some(isCreation);
  const keepsNetwork = finalResources({ base, steps }).some(isNetwork);
  const foreground = steps.filter((step) => !step.background);
  return {
    base,
    steps,
    endsAt: lastEnd(foreground, now),
    networks: hasNetwork ? 1 : 0,
    networksUntil: keepsNetwork || !hasNetwork ? null : lastEnd(networkSteps, now),
  };
}

const lastEnd = (steps: readonly Step[], now: number): number =>
  steps.reduce((latest, step) => Math.max(latest, step.endsAt), now);

/** Marks the creations that fail: over the quota, or by fault injection. */
function markFailures(
  account: SandboxAccount,
  { id, region, creations }: { id: string; region: string; creations: readonly Step[] },
  now: number,
): void {
  const network = creations.find(({ resource }) => isNetwork(resource));
  const others = [...account.stacks.values()].filter(
    (other) => other.region === region && other.stackId !== id,
  );
  const used = others.reduce((sum, other) => sum + networksHeld(other, now), 0);
  if (network && used >= networksPerRegion)
    network.failure = `The maximum number of VPCs has been reached (${networksPerRegion} per region).`;
  const scripted = takeScriptedFailure(account.faults, id, creations.length);
  const failing = scripted && creations[scripted.position - 1];
  if (scripted && failing) failing.failure ??= scripted.reason;
}
