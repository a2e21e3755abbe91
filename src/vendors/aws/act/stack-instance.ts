import type { AutoScalingGroup, Instance as Member } from '@aws-sdk/client-auto-scaling';
import type { Instance } from '@aws-sdk/client-ec2';
import { ignoreError, readAws } from '../errors.ts';
import { groupTag, stackTag } from '../names.ts';
import type { Region } from '../region.ts';
import { notThere, readGroups } from './groups.ts';

/** A server of a stack, and its group if it has one. */
export interface StackInstance {
  id: string;
  /** Being terminated, for any reason. */
  leaving: boolean;
  /** The group that launched the server. The server may no longer be a member. */
  groupName: string | undefined;
  /** The group the server is a member of. */
  group: AutoScalingGroup | undefined;
}

/**
 * Finds the stack and the group of a server by its tags. This also works while the stack is being created and has no
 * outputs yet. AWS returns terminated instances for about an hour.
 */
export async function findStackInstance(
  region: Region,
  stackId: string,
  instanceId: string,
): Promise<StackInstance | undefined> {
  const ec2 = await region.clients.ec2();
  const found = await readAws(() =>
    ignoreError({ name: /^InvalidInstanceID/ }, () => ec2.describeInstances({ InstanceIds: [instanceId] })),
  );
  const instance = found?.Reservations?.[0]?.Instances?.[0];
  if (!instance || tagOf(instance, stackTag) !== stackId) return undefined;
  const groupName = tagOf(instance, groupTag);
  const [launchedBy] = groupName ? await readGroups(region, [groupName]) : [];
  const member = launchedBy?.Instances?.find(({ InstanceId }) => InstanceId === instanceId);
  return {
    id: instanceId,
    leaving: isShuttingDown(instance) || (member !== undefined && isLeaving(member)),
    groupName,
    group: member ? launchedBy : undefined,
  };
}

const tagOf = ({ Tags = [] }: Instance, key: string): string | undefined =>
  Tags.find((tag) => tag.Key === key)?.Value;

const isShuttingDown = ({ State }: Instance): boolean =>
  State?.Name === 'shutting-down' || State?.Name === 'terminated';

const isLeaving = ({ LifecycleState }: Member): boolean => LifecycleState?.includes('Terminating') ?? false;

/** Terminates a group member. The group launches a replacement; hook and draining apply. The member may already be gone. */
export async function terminateInGroup({ clients }: Region, instanceId: string): Promise<void> {
  const autoScaling = await clients.autoScaling();
  await ignoreError(notThere, () =>
    autoScaling.terminateInstanceInAutoScalingGroup({
      InstanceId: instanceId,
      ShouldDecrementDesiredCapacity: false,
    }),
  );
}
