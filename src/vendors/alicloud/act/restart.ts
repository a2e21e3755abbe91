import { type Answer, accepted, type RestartAnswer, refused, type StackOnVendor } from '../../vendor.ts';
import { drainSeconds } from '../catalog.ts';
import { toAnswer } from '../errors.ts';
import type { Region } from '../region.ts';
import { findHook } from './lifecycle-hook.ts';
import { findStackInstance, replaceMember, type StackInstance } from './stack-instance.ts';

/** Replaces a group member; reboots any other server. Does nothing to a server that is being removed. */
export async function restartInstance(
  region: Region,
  { id: stackId }: StackOnVendor,
  instanceId: string,
): Promise<RestartAnswer> {
  let protectionSeconds: number | null = null;
  const answer = await toAnswer(async () => {
    const instance = await findStackInstance(region, stackId, instanceId);
    if (!instance) return refused(`There is no instance ${instanceId} in this stack.`);
    const { group } = instance;
    if (group !== undefined)
      protectionSeconds = (await findHook(region, stackId, [group]))?.heartbeatSeconds ?? drainSeconds;
    return instance.leaving ? accepted : restart(region, instance);
  });
  return answer.accepted ? { accepted: true, protectionSeconds } : answer;
}

async function restart(region: Region, instance: StackInstance): Promise<Answer> {
  const { id, group, member } = instance;
  if (group === undefined) {
    await region.clients.call({ service: 'ecs', action: 'RebootInstance', query: { InstanceId: id } });
    return accepted;
  }
  if (member?.LifecycleState === 'Standby')
    return refused(
      `Instance ${id} is in standby, where its group does not replace it. Put it in service first.`,
    );
  await replaceMember(region, instance);
  return accepted;
}
