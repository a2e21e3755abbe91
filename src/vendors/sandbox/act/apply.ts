import type { StackOnVendor } from '../../vendor.ts';
import { networksPerRegion } from '../catalog.ts';
import type { Resource, SandboxAccount, SandboxStack, Step } from '../cloud.ts';
import type { SandboxDocument } from '../document.ts';
import { eventsToKeep } from '../events.ts';
import { planChanges, planDeletions, planRollback, type Turn } from '../plan/plan.ts';
import { restOf } from '../plan/rest.ts';
import { cutAtFailure, type Moment } from '../plan/schedule.ts';
import { networksHeld, phaseOf, resourcesInTheEnd } from '../world.ts';
import { failingPosition, sharedWith } from './faults.ts';
import { keptHook } from './lifecycle-hook.ts';

/** `apply` and `remove` inside one transaction on the cloud account. */

export function applyIn(
  account: SandboxAccount,
  { id, region }: StackOnVendor,
  document: SandboxDocument,
  version: string,
  moment: Moment,
): void {
  const current = account.stacks.get(id);
  if (current && isReachedOrUnderWay(current, version, moment.now)) return;
  const turn = nextTurn(id, current, version, moment);
  const rest = restOf(current, moment.now);
  const planned = planChanges(rest, document, turn);
  markFailures(account, { id, region }, planned, moment.now);
  const { begun, failed } = cutAtFailure(planned);
  const rollback = failed ? planRollback(begun, rest, failed.endsAt, turn) : [];
  const failure = failed ? `${failed.resource.type} ${failed.resource.name}: ${failed.failure}` : null;
  account.stacks.set(id, {
    ...history(current, moment.now),
    ...finalPart(rest.base, [...rest.carried, ...begun, ...rollback], moment.now),
    stackId: id,
    region,
    version,
    doing: 'apply',
    failure,
    outputs: document.outputs,
  });
}

export function removeIn(account: SandboxAccount, { id }: StackOnVendor, moment: Moment): void {
  const current = account.stacks.get(id);
  if (!current || isLeavingOrGone(current, moment.now)) return;
  const rest = restOf(current, moment.now);
  const planned = planDeletions(rest, nextTurn(id, current, current.version, moment));
  for (const step of planned) {
    const other = sharedWith(account.faults, id, step.resource.name);
    if (other) step.failure = `is in use by stack ${other}`;
  }
  const { begun, failed } = cutAtFailure(planned);
  account.stacks.set(id, {
    ...current,
    ...history(current, moment.now),
    ...finalPart(rest.base, [...rest.carried, ...begun], moment.now),
    doing: 'remove',
    failure: failed ? `${failed.resource.type} ${failed.resource.name} ${failed.failure}` : null,
  });
}

/** The same again changes nothing, unless it had ended broken: then it is tried again. */
const isReachedOrUnderWay = (stack: SandboxStack, version: string, now: number): boolean =>
  stack.doing === 'apply' && stack.version === version && phaseOf(stack, now) !== 'broken';

const isLeavingOrGone = (stack: SandboxStack, now: number): boolean =>
  stack.doing === 'remove' && phaseOf(stack, now) !== 'broken';

const nextTurn = (
  stackId: string,
  current: SandboxStack | undefined,
  version: string,
  { now, speed }: Moment,
): Turn => ({ stackId, turn: `${version}:${(current?.turns ?? 0) + 1}`, now, speed });

/** What a stack remembers from its plan before. */
function history(
  current: SandboxStack | undefined,
  now: number,
): Pick<SandboxStack, 'turns' | 'pastEvents' | 'outputsBefore' | 'lifecycleHook'> {
  if (!current) return { turns: 1, pastEvents: [], outputsBefore: [] };
  const outputsBefore = { settled: current.outputs, gone: [], busy: null, broken: null }[
    phaseOf(current, now)
  ];
  return {
    turns: current.turns + 1,
    pastEvents: eventsToKeep(current, now),
    outputsBefore: outputsBefore ?? current.outputsBefore,
    ...keptHook(current, now),
  };
}

const isNetwork = ({ type }: Resource): boolean => type === 'VirtualNetwork';

/** What follows from the steps alone. */
function finalPart(
  base: Resource[],
  steps: Step[],
  now: number,
): Pick<SandboxStack, 'base' | 'steps' | 'endsAt' | 'networks' | 'networksUntil'> {
  const changes = steps.filter((step) => isNetwork(step.resource) && step.failure === null);
  const everHeld = base.some(isNetwork) || changes.some((step) => step.action === 'create');
  const staysHeld = resourcesInTheEnd(base, steps).some(isNetwork);
  return {
    base,
    steps,
    endsAt: lastEnd(
      steps.filter((step) => !step.background),
      now,
    ),
    networks: everHeld ? 1 : 0,
    networksUntil: staysHeld || !everHeld ? null : lastEnd(changes, now),
  };
}

const lastEnd = (steps: readonly Step[], now: number): number =>
  steps.reduce((latest, step) => Math.max(latest, step.endsAt), now);

/** The steps that will not succeed: over the quota, or asked for by a fault. */
function markFailures(
  account: SandboxAccount,
  stack: { id: string; region: string },
  steps: readonly Step[],
  now: number,
): void {
  const creations = steps.filter((step) => step.action === 'create');
  const network = creations.find((step) => step.resource.type === 'VirtualNetwork');
  const neighbours = [...account.stacks.values()].filter(
    (other) => other.region === stack.region && other.stackId !== stack.id,
  );
  const held = neighbours.reduce((sum, other) => sum + networksHeld(other, now), 0);
  if (network && held >= networksPerRegion)
    network.failure = `The maximum number of VPCs has been reached (${networksPerRegion} per region).`;
  const scripted = failingPosition(account.faults, stack.id, creations.length);
  const doomed = scripted && creations[scripted.position - 1];
  if (scripted && doomed) doomed.failure ??= scripted.reason;
}
