import { lifecycleHookName } from '../../../model/hook-name.ts';
import { type Answer, accepted, type LifecycleHook, refused, type StackOnVendor } from '../../vendor.ts';
import { ifThere, observing, toAnswer } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { readMembers } from '../observe/members.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { findCloudStack, type Region } from '../region.ts';
import { groupsOf, unprotect } from './groups.ts';

/** Limits of ESS. */
const heartbeat = { min: 30, max: 86_400 };
/** ESS has no limit for all heartbeats together: this is the one of every vendor. */
const maxTimeoutSeconds = 172_800;

/** Sets the hook directly, not through the template: there it would need an update, and changing it here would be drift. */
export const putLifecycleHook = (
  region: Region,
  { id }: StackOnVendor,
  heartbeatSeconds: number,
): Promise<Answer> =>
  toAnswer(async () => {
    if (heartbeatSeconds < heartbeat.min || heartbeatSeconds > heartbeat.max)
      return refused(`On Alibaba Cloud the heartbeat is ${heartbeat.min} to ${heartbeat.max} seconds.`);
    const { value: stack } = await findCloudStack(region, id);
    if (!stack) return refused('The stack does not exist on Alibaba Cloud yet.');
    if (phaseOf(stack.status).doing === 'remove') return refused('The stack is being deleted.');
    const groups = await groupsOf(region, stack);
    if (groups.length === 0) return refused('The stack has no scaling group yet.');
    for (const group of groups) await putHook(region, { group, stackId: id }, heartbeatSeconds);
    return accepted;
  });

interface HookPlace {
  group: string;
  stackId: string;
}

async function putHook(region: Region, place: HookPlace, heartbeatSeconds: number): Promise<void> {
  const known = await findHookIn(region, place);
  if (known?.HeartbeatTimeout === heartbeatSeconds) return;
  await region.clients.call({
    service: 'ess',
    action: known ? 'ModifyLifecycleHook' : 'CreateLifecycleHook',
    query: {
      ScalingGroupId: place.group,
      LifecycleHookName: lifecycleHookName(place.stackId),
      LifecycleTransition: 'SCALE_IN',
      HeartbeatTimeout: heartbeatSeconds,
      // A server that never reports completion is removed after the timeout.
      DefaultResult: 'CONTINUE',
    },
  });
}

interface HookRow {
  LifecycleHookName?: string;
  HeartbeatTimeout?: number;
}

async function findHookIn({ clients }: Region, { group, stackId }: HookPlace): Promise<HookRow | undefined> {
  const name = lifecycleHookName(stackId);
  const answer = await observing(() =>
    ifThere(() =>
      clients.call<{ LifecycleHooks?: { LifecycleHook?: readonly HookRow[] } }>({
        service: 'ess',
        action: 'DescribeLifecycleHooks',
        query: { ScalingGroupId: group, LifecycleHookName: name },
      }),
    ),
  );
  return answer?.LifecycleHooks?.LifecycleHook?.find(({ LifecycleHookName }) => LifecycleHookName === name);
}

/** Reads the hook from the first group that has one. All groups of a stack have the same hook. */
export async function readLifecycleHook(
  region: Region,
  { id }: StackOnVendor,
): Promise<LifecycleHook | undefined> {
  const { value: stack } = await findCloudStack(region, id);
  return stack && findHook(region, id, await groupsOf(region, stack));
}

export async function findHook(
  region: Region,
  stackId: string,
  groups: readonly string[],
): Promise<LifecycleHook | undefined> {
  for (const group of groups) {
    const hook = await findHookIn(region, { group, stackId });
    if (hook?.HeartbeatTimeout)
      return { heartbeatSeconds: hook.HeartbeatTimeout, globalTimeoutSeconds: maxTimeoutSeconds };
  }
  return undefined;
}

/**
 * Runs before a stack is deleted, so that nothing delays its servers: a hook would hold each one for a heartbeat, and protection
 * would hold it forever.
 */
export async function removeLifecycleHooks(region: Region, stack: CloudStack): Promise<void> {
  for (const group of await groupsOf(region, stack)) {
    if (await findHookIn(region, { group, stackId: stack.stackId }))
      await ifThere(() =>
        region.clients.call({
          service: 'ess',
          action: 'DeleteLifecycleHook',
          query: { ScalingGroupId: group, LifecycleHookName: lifecycleHookName(stack.stackId) },
        }),
      );
    const members = await readMembers(region.clients, { ScalingGroupId: group });
    const held = members.filter(({ LifecycleState }) => LifecycleState === 'Protected');
    await unprotect(
      region,
      group,
      held.flatMap(({ InstanceId }) => InstanceId ?? []),
    );
  }
}
