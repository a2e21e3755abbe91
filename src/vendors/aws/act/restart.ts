import { type Answer, accepted, type RestartAnswer, refused, type StackOnVendor } from '../../vendor.ts';
import { act, ask } from '../errors.ts';
import type { Region } from '../region.ts';
import { findHook } from './lifecycle-hook.ts';
import { findOwnInstance, type OwnInstance, takeOutOfGroup } from './own-instance.ts';

/** So long a load balancer lets a member finish its requests: the deregistration delay that stands in the template. */
const deregistrationSeconds = 60;

/** A member of a group is replaced, any other server rebooted; neither is while it is on its way out already. */
export async function restartInstance(
  region: Region,
  { id: stackId }: StackOnVendor,
  instanceId: string,
): Promise<RestartAnswer> {
  let protectionSeconds: number | null = null;
  const answer = await act(async () => {
    const instance = await findOwnInstance(region, stackId, instanceId);
    if (!instance) return refused(`There is no instance ${instanceId} in this stack.`);
    const { groupName } = instance;
    if (groupName) protectionSeconds = await protectionIn(region, stackId, groupName);
    return instance.leaving ? accepted : restart(region, instance);
  });
  return answer.accepted ? { ...answer, protectionSeconds } : answer;
}

const protectionIn = async (region: Region, stackId: string, groupName: string): Promise<number> =>
  (await findHook(region, stackId, [groupName]))?.heartbeatSeconds ?? deregistrationSeconds;

async function restart(region: Region, { id, group, groupName }: OwnInstance): Promise<Answer> {
  if (group) {
    await takeOutOfGroup(region, id);
    return accepted;
  }
  if (groupName)
    return refused(`Instance ${id} was taken out of its group ${groupName} by hand; put it back first.`);
  const ec2 = await region.clients.ec2();
  await ask(() => ec2.rebootInstances({ InstanceIds: [id] }));
  return accepted;
}
