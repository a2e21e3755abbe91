import { type Answer, accepted, type RestartAnswer, refused, type StackOnVendor } from '../../vendor.ts';
import { callAws, toAnswer } from '../errors.ts';
import type { Region } from '../region.ts';
import { findHook } from './lifecycle-hook.ts';
import { findStackInstance, type StackInstance, terminateInGroup } from './stack-instance.ts';

/** The deregistration delay in the template: how long a load balancer lets a member finish its requests. */
const deregistrationSeconds = 60;

/** Replaces a group member; reboots any other server. Does nothing to a server that is being terminated. */
export async function restartInstance(
  region: Region,
  { id: stackId }: StackOnVendor,
  instanceId: string,
): Promise<RestartAnswer> {
  let protectionSeconds: number | null = null;
  const answer = await toAnswer(async () => {
    const instance = await findStackInstance(region, stackId, instanceId);
    if (!instance) return refused(`There is no instance ${instanceId} in this stack.`);
    const { groupName } = instance;
    if (groupName) protectionSeconds = await protectionIn(region, stackId, groupName);
    return instance.leaving ? accepted : restart(region, instance);
  });
  return answer.accepted ? { ...answer, protectionSeconds } : answer;
}

const protectionIn = async (region: Region, stackId: string, groupName: string): Promise<number> =>
  (await findHook(region, stackId, [groupName]))?.heartbeatSeconds ?? deregistrationSeconds;

async function restart(region: Region, { id, group, groupName }: StackInstance): Promise<Answer> {
  if (group) {
    await terminateInGroup(region, id);
    return accepted;
  }
  if (groupName)
    return refused(`Instance ${id} was detached from its group ${groupName}. Attach it again first.`);
  const ec2 = await region.clients.ec2();
  await callAws(() => ec2.rebootInstances({ InstanceIds: [id] }));
  return accepted;
}
