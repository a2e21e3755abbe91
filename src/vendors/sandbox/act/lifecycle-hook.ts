import { type Answer, accepted, type LifecycleHook, refused } from '../../vendor.ts';
import type { SandboxAccount, SandboxStack } from '../cloud.ts';
import { finalResources, phaseOf } from '../timeline.ts';

/** The limits of AWS: two days, and 100 heartbeats. */
const maxTimeoutSeconds = 172_800;
const maxHeartbeats = 100;

/** Sets one hook for the whole stack. It applies to all its groups, also to later ones. */
export function putHook(
  account: SandboxAccount,
  { stackId, heartbeatSeconds }: { stackId: string; heartbeatSeconds: number },
  now: number,
): Answer {
  const stack = account.stacks.get(stackId);
  if (!stack || phaseOf(stack, now) === 'gone') return refused('The stack does not exist in the cloud yet.');
  const groups = finalResources(stack).filter(({ type }) => type === 'AutoScalingGroup');
  if (groups.length === 0) return refused('The stack has no autoscaling group.');
  stack.lifecycleHook = { heartbeatSeconds };
  return accepted;
}

export function hookOf(stack: SandboxStack | undefined, now: number): LifecycleHook | undefined {
  if (!stack?.lifecycleHook || phaseOf(stack, now) === 'gone') return undefined;
  const { heartbeatSeconds } = stack.lifecycleHook;
  return {
    heartbeatSeconds,
    globalTimeoutSeconds: Math.min(maxTimeoutSeconds, maxHeartbeats * heartbeatSeconds),
  };
}

/** A new plan keeps the hook, so that a group that replaces another has it too. */
export const keptHook = (stack: SandboxStack, now: number): Pick<SandboxStack, 'lifecycleHook'> =>
  stack.lifecycleHook && phaseOf(stack, now) !== 'gone' ? { lifecycleHook: stack.lifecycleHook } : {};
