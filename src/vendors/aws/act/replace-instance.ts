import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import { act, ask, isAnswer } from '../errors.ts';
import type { Region } from '../region.ts';
import { findOwnInstance, takeOutOfGroup } from './own-instance.ts';

/**
 * EC2 takes a spot instance back two minutes after its notice, whatever a hook says. So it gets no new requests from now
 * on, and its group launches another at once; where the group rebalances by itself it has begun to already.
 */
export async function replaceInstance(
  region: Region,
  { id }: StackOnVendor,
  instanceId: string,
): Promise<Answer> {
  return act(async () => {
    const instance = await findOwnInstance(region, id, instanceId);
    if (!instance) return refused(`There is no instance ${instanceId} in this stack.`);
    if (instance.leaving) return accepted;
    if (!instance.group)
      return refused(`Instance ${instanceId} is in no autoscaling group; nothing would replace it.`);
    await stopRequests(region, instance.group, instanceId);
    await takeOutOfGroup(region, instanceId);
    return accepted;
  });
}

/** A refusal does not keep the group from replacing it: that takes it from its load balancer as well, only later. */
async function stopRequests(
  { clients }: Region,
  { TargetGroupARNs = [] }: AutoScalingGroup,
  instanceId: string,
): Promise<void> {
  if (TargetGroupARNs.length === 0) return;
  const loadBalancing = await clients.loadBalancing();
  for (const TargetGroupArn of TargetGroupARNs)
    try {
      await ask(() => loadBalancing.deregisterTargets({ TargetGroupArn, Targets: [{ Id: instanceId }] }));
    } catch (cause) {
      if (!isAnswer(cause)) throw cause;
    }
}
