import { lifecycleHookName } from '../../../model/names.ts';
import { type Answer, accepted, type LifecycleHook, refused, type StackOnVendor } from '../../vendor.ts';
import { act, ask, look } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { standingOf } from '../observe/statuses.ts';
import { findCloudStack, type Region } from '../region.ts';
import { tolerate } from '../tolerate.ts';
import { groupNamesOf, notThere, readGroups } from './groups.ts';

/** Two days at most, and a hundred heartbeats at most. */
const longestTimeoutSeconds = 172_800;
const maxHeartbeats = 100;

/** By itself, not in the template: there it would wait for an update, and changing it here would be drift. */
export async function putLifecycleHook(
  region: Region,
  { id }: StackOnVendor,
  heartbeatSeconds: number,
): Promise<Answer> {
  return act(async () => {
    const { value: stack } = await findCloudStack(region, id);
    if (!stack) return refused('The stack is not there yet.');
    if (standingOf(stack.status).doing === 'remove') return refused('The stack is being removed.');
    const groups = groupNamesOf(stack);
    if (groups.length === 0) return refused('The stack has no autoscaling group there yet.');
    for (const group of groups) await putHook(region, group, id, heartbeatSeconds);
    return accepted;
  });
}

async function putHook(region: Region, group: string, stackId: string, seconds: number): Promise<void> {
  const autoScaling = await region.clients.autoScaling();
  await ask(() =>
    autoScaling.putLifecycleHook({
      AutoScalingGroupName: group,
      LifecycleHookName: lifecycleHookName(stackId),
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: seconds,
      // An instance nobody answers for goes in the end, rather than staying for good.
      DefaultResult: 'CONTINUE',
    }),
  );
}

/** All groups of a stack have the same one; the first group that has it tells. */
export async function readLifecycleHook(
  region: Region,
  { id }: StackOnVendor,
): Promise<LifecycleHook | undefined> {
  const { value: stack } = await findCloudStack(region, id);
  return stack && findHook(region, id, groupNamesOf(stack));
}

export async function findHook(
  region: Region,
  stackId: string,
  groupNames: readonly string[],
): Promise<LifecycleHook | undefined> {
  const autoScaling = await region.clients.autoScaling();
  for (const group of groupNames) {
    const told = await look(() =>
      tolerate(notThere, () => autoScaling.describeLifecycleHooks({ AutoScalingGroupName: group })),
    );
    const hook = told?.LifecycleHooks?.find(
      ({ LifecycleHookName }) => LifecycleHookName === lifecycleHookName(stackId),
    );
    if (hook?.HeartbeatTimeout) return hookOf(hook.HeartbeatTimeout, hook.GlobalTimeout);
  }
  return undefined;
}

const hookOf = (heartbeatSeconds: number, globalTimeoutSeconds: number | undefined): LifecycleHook => ({
  heartbeatSeconds,
  globalTimeoutSeconds:
    globalTimeoutSeconds ?? Math.min(longestTimeoutSeconds, maxHeartbeats * heartbeatSeconds),
});

/**
 * Before a stack is deleted, so that nothing holds its servers: a hook would for a heartbeat each, also those that wait
 * already, and protection from scaling in for good.
 */
export async function removeLifecycleHooks(region: Region, stack: CloudStack): Promise<void> {
  const autoScaling = await region.clients.autoScaling();
  for (const { AutoScalingGroupName, Instances = [] } of await readGroups(region, groupNamesOf(stack))) {
    await tolerate(notThere, () =>
      autoScaling.deleteLifecycleHook({
        AutoScalingGroupName,
        LifecycleHookName: lifecycleHookName(stack.stackId),
      }),
    );
    const protectedOnes = Instances.filter(({ ProtectedFromScaleIn }) => ProtectedFromScaleIn);
    await unprotect(
      region,
      AutoScalingGroupName,
      protectedOnes.flatMap(({ InstanceId }) => InstanceId ?? []),
    );
  }
}

/** As many as AWS takes in one call. */
const maxInstancesAtOnce = 50;

async function unprotect(region: Region, group: string | undefined, ids: readonly string[]): Promise<void> {
  const autoScaling = await region.clients.autoScaling();
  for (let from = 0; from < ids.length; from += maxInstancesAtOnce)
    await tolerate(notThere, () =>
      autoScaling.setInstanceProtection({
        AutoScalingGroupName: group,
        InstanceIds: ids.slice(from, from + maxInstancesAtOnce),
        ProtectedFromScaleIn: false,
      }),
    );
}
