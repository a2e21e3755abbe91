import type { PutLifecycleHookCommandInput } from '@aws-sdk/client-auto-scaling';
import { lifecycleHookName } from '../../../model/hook-name.ts';
import { type Answer, accepted, type LifecycleHook, refused, type StackOnVendor } from '../../vendor.ts';
import { callAws, ignoreError, readAws, toAnswer } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { findCloudStack, type Region } from '../region.ts';
import { groupNamesOf, notThere, readGroups } from './groups.ts';

/** Limits of AWS: two days, and 100 heartbeats. */
const maxTimeoutSeconds = 172_800;
const maxHeartbeats = 100;

/** Sets the hook directly, not through the template: there it would need an update, and changing it here would be drift. */
export async function putLifecycleHook(
  region: Region,
  { id }: StackOnVendor,
  heartbeatSeconds: number,
): Promise<Answer> {
  return toAnswer(async () => {
    const { value: stack } = await findCloudStack(region, id);
    if (!stack) return refused('The stack does not exist on AWS yet.');
    if (phaseOf(stack.status).doing === 'remove') return refused('The stack is being deleted.');
    const groups = groupNamesOf(stack);
    if (groups.length === 0) return refused('The stack has no Auto Scaling group yet.');
    const autoScaling = await region.clients.autoScaling();
    for (const group of groups)
      await callAws(() => autoScaling.putLifecycleHook(hookRequest(group, id, heartbeatSeconds)));
    return accepted;
  });
}

const hookRequest = (
  group: string,
  stackId: string,
  heartbeatSeconds: number,
): PutLifecycleHookCommandInput => ({
  AutoScalingGroupName: group,
  LifecycleHookName: lifecycleHookName(stackId),
  LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
  HeartbeatTimeout: heartbeatSeconds,
  // An instance that never reports completion is terminated after the timeout.
  DefaultResult: 'CONTINUE',
});

/** Reads the hook from the first group that has one. All groups of a stack have the same hook. */
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
    const response = await readAws(() =>
      ignoreError(notThere, () => autoScaling.describeLifecycleHooks({ AutoScalingGroupName: group })),
    );
    const hook = response?.LifecycleHooks?.find(
      ({ LifecycleHookName }) => LifecycleHookName === lifecycleHookName(stackId),
    );
    if (hook?.HeartbeatTimeout) return hookOf(hook.HeartbeatTimeout, hook.GlobalTimeout);
  }
  return undefined;
}

const hookOf = (heartbeatSeconds: number, globalTimeoutSeconds: number | undefined): LifecycleHook => ({
  heartbeatSeconds,
  globalTimeoutSeconds: globalTimeoutSeconds ?? Math.min(maxTimeoutSeconds, maxHeartbeats * heartbeatSeconds),
});

/**
 * Runs before a stack is deleted, so that nothing delays its servers: a hook would hold each one for a heartbeat, and
 * scale-in protection would hold it forever.
 */
export async function removeLifecycleHooks(region: Region, stack: CloudStack): Promise<void> {
  const autoScaling = await region.clients.autoScaling();
  for (const { AutoScalingGroupName, Instances = [] } of await readGroups(region, groupNamesOf(stack))) {
    await ignoreError(notThere, () =>
      autoScaling.deleteLifecycleHook({
        AutoScalingGroupName,
        LifecycleHookName: lifecycleHookName(stack.stackId),
      }),
    );
    const protectedInstances = Instances.filter(({ ProtectedFromScaleIn }) => ProtectedFromScaleIn);
    await unprotect(
      region,
      AutoScalingGroupName,
      protectedInstances.flatMap(({ InstanceId }) => InstanceId ?? []),
    );
  }
}

/** Limit of AWS. */
const maxInstancesPerCall = 50;

async function unprotect(region: Region, group: string | undefined, ids: readonly string[]): Promise<void> {
  const autoScaling = await region.clients.autoScaling();
  for (let from = 0; from < ids.length; from += maxInstancesPerCall)
    await ignoreError(notThere, () =>
      autoScaling.setInstanceProtection({
        AutoScalingGroupName: group,
        InstanceIds: ids.slice(from, from + maxInstancesPerCall),
        ProtectedFromScaleIn: false,
      }),
    );
}
