import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import type { Resource, SandboxAccount, SandboxStack } from '../cloud.ts';
import type { Moment } from '../plan/schedule.ts';
import { resourcesInTheEnd, worldAt } from '../world.ts';
import { freeFrom, replaceMember } from './replace-member.ts';

/** The cloud takes a spot instance back: its group puts another in its place, as groups do by themselves. */
export function noticeSpotInstance(
  account: SandboxAccount,
  instanceId: string | undefined,
  stack: StackOnVendor | undefined,
  moment: Moment,
): Outcome<string> {
  for (const held of account.stacks.values()) {
    if (stack && held.stackId !== stack.id) continue;
    const instance = spotInstances(held, moment.now).find(({ id }) => id === (instanceId ?? id));
    if (!instance) continue;
    const replacement = replace(held, instance, moment);
    return succeed(`Spot instance ${instance.id} got its notice; ${replacement.id} takes its place.`);
  }
  const which = instanceId === undefined ? 'There is no running spot instance.' : `${instanceId} is none.`;
  return reject([{ path: 'instanceId', message: `Only a running spot instance can get a notice. ${which}` }]);
}

/**
 * Somebody else heard the notice first and tells us. An instance that is on its way out already, by an earlier
 * notice or by a plan, needs no second replacement.
 */
export function replaceIn(
  account: SandboxAccount,
  stack: StackOnVendor,
  instanceId: string,
  moment: Moment,
): Answer {
  const held = account.stacks.get(stack.id);
  const isIt = ({ id, type }: Resource): boolean => id === instanceId && type === 'Instance';
  const there = held && worldAt(held.base, held.steps, moment.now).some(({ resource }) => isIt(resource));
  if (!there) return refused(`There is no instance ${instanceId}.`);
  const staying = resourcesInTheEnd(held.base, held.steps).find(isIt);
  if (!staying) return accepted;
  if (staying.properties['spot'] !== true)
    return refused(`Instance ${instanceId} is not a spot instance; no cloud takes it back.`);
  replace(held, staying, { ...moment, now: freeFrom(held, instanceId, moment.now) });
  return accepted;
}

/** Those that run and that no plan is about to touch. */
function spotInstances(stack: SandboxStack, now: number): Resource[] {
  const touched = new Set(stack.steps.filter((step) => now < step.endsAt).map((step) => step.resource.id));
  return worldAt(stack.base, stack.steps, now)
    .map(({ resource }) => resource)
    .filter(
      ({ id, type, properties }) => type === 'Instance' && properties['spot'] === true && !touched.has(id),
    );
}

const replace = (stack: SandboxStack, old: Resource, moment: Moment): Resource =>
  replaceMember(stack, old, moment, {
    left: { ...old, noticeAt: moment.now },
    telling: { state: 'SPOT_NOTICE', message: `Spot instance ${old.id} will be taken back.` },
    protectedMs: 0,
  });
