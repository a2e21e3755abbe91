import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import { callAws, isRejection, toAnswer } from '../errors.ts';
import type { Region } from '../region.ts';
import { findStackInstance, terminateInGroup } from './stack-instance.ts';

/**
 * EC2 reclaims a spot instance two minutes after its notice, even with a hook. So the instance gets no new requests, and
 * its group launches a replacement at once, unless capacity rebalancing has already started one.
 */
export async function replaceInstance(
  region: Region,
  { id }: StackOnVendor,
  instanceId: string,
): Promise<Answer> {
  return toAnswer(async () => {
    const instance = await findStackInstance(region, id, instanceId);
    if (!instance) return refused(`There is no instance ${instanceId} in this stack.`);
    if (instance.leaving) return accepted;
    if (!instance.group)
      return refused(`Instance ${instanceId} is not in an Auto Scaling group, so nothing would replace it.`);
    await stopRequests(region, instance.group, instanceId);
    await terminateInGroup(region, instanceId);
    return accepted;
  });
}

/** Ignores rejections: the group also deregisters the instance when it terminates it, only later. */
async function stopRequests(
  { clients }: Region,
  { TargetGroupARNs = [] }: AutoScalingGroup,
  instanceId: string,
): Promise<void> {
  if (TargetGroupARNs.length === 0) return;
  const loadBalancing = await clients.loadBalancing();
  for (const TargetGroupArn of TargetGroupARNs)
    try {
      await callAws(() => loadBalancing.deregisterTargets({ TargetGroupArn, Targets: [{ Id: instanceId }] }));
    } catch (cause) {
      if (!isRejection(cause)) throw cause;
    }
}
