import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import { noSpotInstance } from '../../shared/spot.ts';
import { type Answer, accepted, refused } from '../../vendor.ts';
import type { Resource, SandboxAccount, SandboxStack } from '../cloud.ts';
import type { SimulationTime } from '../plan/schedule.ts';
import { resourcesAt } from '../timeline.ts';
import { findInstance, replaceMember } from './replace-member.ts';

interface SpotTarget {
  /** Undefined: the first running spot instance. */
  instanceId: string | undefined;
  /** Undefined: any stack. */
  stackId: string | undefined;
}

/** The cloud reclaims a spot instance, and its group replaces it. */
export function noticeSpotInstance(
  account: SandboxAccount,
  { instanceId, stackId }: SpotTarget,
  time: SimulationTime,
): Outcome<string> {
  for (const stack of account.stacks.values()) {
    if (stack.stackId !== (stackId ?? stack.stackId)) continue;
    const instance = spotInstances(stack, time.now).find(({ id }) => id === (instanceId ?? id));
    if (!instance) continue;
    const replacement = reclaim(stack, instance, time);
    return succeed(`Sent a spot notice to instance ${instance.id}. ${replacement.id} replaces it.`);
  }
  return reject([{ path: 'instanceId', message: noSpotInstance(instanceId) }]);
}

/** Replaces a spot instance after a notice. Does nothing if a notice or a plan is already removing it. */
export function replaceInstance(
  account: SandboxAccount,
  target: { stackId: string; instanceId: string },
  { now, speed }: SimulationTime,
): Answer {
  const found = findInstance(account, target, now);
  if (!found) return refused(`There is no instance ${target.instanceId}.`);
  if (!found.staying) return accepted;
  if (found.staying.properties['spot'] !== true)
    return refused(`Instance ${target.instanceId} is not a spot instance and cannot be reclaimed.`);
  reclaim(found.stack, found.staying, { now: found.freeAt, speed });
  return accepted;
}

/** Running spot instances that no step of a plan changes. */
function spotInstances(stack: SandboxStack, now: number): Resource[] {
  const changing = new Set(stack.steps.filter((step) => now < step.endsAt).map((step) => step.resource.id));
  return resourcesAt(stack, now).filter(
    ({ id, type, properties }) => type === 'Instance' && properties['spot'] === true && !changing.has(id),
  );
}

function reclaim(stack: SandboxStack, instance: Resource, time: SimulationTime): Resource {
  const message = `Spot instance ${instance.id} will be reclaimed.`;
  const member = { ...instance, noticeAt: time.now };
  return replaceMember(stack, { member, event: { state: 'SPOT_NOTICE', message }, protectedMs: 0 }, time);
}
