import type { AutoScalingGroup, Instance as Member } from '@aws-sdk/client-auto-scaling';
import type { Instance } from '@aws-sdk/client-ec2';
import { look } from '../errors.ts';
import { stackTag } from '../names.ts';
import type { Region } from '../region.ts';
import { tolerate } from '../tolerate.ts';
import { notThere, readGroups } from './groups.ts';

/** A server of a stack, and its place in a group where it has one. */
export interface OwnInstance {
  id: string;
  /** On its way out, by itself or because somebody asked for it. */
  leaving: boolean;
  /** The group that launched it; it may have left it since. */
  groupName: string | undefined;
  /** The group it is in. */
  group: AutoScalingGroup | undefined;
}

/** AWS writes it on every server a group launches. */
const groupTag = 'aws:autoscaling:groupName';

/**
 * The server tells by its tags which stack and which group it belongs to, also while the stack is being made and shows
 * no outputs yet. AWS tells of one that is gone for about an hour.
 */
export async function findOwnInstance(
  region: Region,
  stackId: string,
  instanceId: string,
): Promise<OwnInstance | undefined> {
  const ec2 = await region.clients.ec2();
  const found = await look(() =>
    tolerate({ name: /^InvalidInstanceID/ }, () => ec2.describeInstances({ InstanceIds: [instanceId] })),
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

/** The group launches another in its place; hook and draining apply. Somebody else may have been quicker. */
export async function takeOutOfGroup({ clients }: Region, instanceId: string): Promise<void> {
  const autoScaling = await clients.autoScaling();
  await tolerate(notThere, () =>
    autoScaling.terminateInstanceInAutoScalingGroup({
      InstanceId: instanceId,
      ShouldDecrementDesiredCapacity: false,
    }),
  );
}
