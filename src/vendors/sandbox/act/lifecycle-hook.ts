import { type Answer, accepted, type LifecycleHook, refused, type StackOnVendor } from '../../vendor.ts';
import type { SandboxAccount, SandboxStack } from '../cloud.ts';
import { phaseOf, resourcesInTheEnd } from '../world.ts';

/** As in the cloud whose manners these are: two days at most, and a hundred heartbeats at most. */
const longestTimeoutSeconds = 172_800;
const maxHeartbeats = 100;

/** One hook for the whole stack: it holds for every group it has or will have. */
export function putHookIn(
  account: SandboxAccount,
  { id }: StackOnVendor,
  heartbeatSeconds: number,
  now: number,
): Answer {
  const stack = account.stacks.get(id);
  if (!stack || phaseOf(stack, now) === 'gone') return refused('The stack is not there yet.');
  const groups = resourcesInTheEnd(stack.base, stack.steps).filter(({ type }) => type === 'AutoScalingGroup');
  if (groups.length === 0) return refused('The stack has no autoscaling group there.');
  stack.lifecycleHook = { heartbeatSeconds };
  return accepted;
}

export function hookOf(stack: SandboxStack | undefined, now: number): LifecycleHook | undefined {
  if (!stack?.lifecycleHook || phaseOf(stack, now) === 'gone') return undefined;
  const { heartbeatSeconds } = stack.lifecycleHook;
  return {
    heartbeatSeconds,
    globalTimeoutSeconds: Math.min(longestTimeoutSeconds, maxHeartbeats * heartbeatSeconds),
  };
}

/**
 * A new plan takes the hook along, so a group that replaces another has it too. Vendors that forget a hook with its
 * group will get it again from what Almanac's own store keeps, once there is a driver for one.
 */
export const keptHook = (stack: SandboxStack, now: number): Pick<SandboxStack, 'lifecycleHook'> =>
  stack.lifecycleHook && phaseOf(stack, now) !== 'gone' ? { lifecycleHook: stack.lifecycleHook } : {};
