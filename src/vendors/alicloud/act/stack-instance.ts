import { ifThere } from '../errors.ts';
import { stackTag } from '../names.ts';
import { readInstance, tagOf } from '../observe/list-instances.ts';
import { isLeaving, type Member, readMembers } from '../observe/members.ts';
import type { Region } from '../region.ts';
import { unprotect } from './groups.ts';

/** A server of a stack, and its group if it has one. */
export interface StackInstance {
  id: string;
  /** Being removed, for any reason. */
  leaving: boolean;
  /** The group the server is a member of. */
  group: string | undefined;
  member: Member | undefined;
}

/** Finds a server by its id; undefined: it is not a server of this stack. */
export async function findStackInstance(
  { clients }: Region,
  stackId: string,
  instanceId: string,
): Promise<StackInstance | undefined> {
  const instance = await readInstance(clients, instanceId);
  if (!instance || tagOf(instance, stackTag) !== stackId) return undefined;
  const [member] = await readMembers(clients, { InstanceId: [instanceId] });
  return {
    id: instanceId,
    leaving: member !== undefined && isLeaving(member),
    group: member?.ScalingGroupId,
    member,
  };
}

/**
 * Lets the group replace a member. A member cannot be removed from a group of the smallest size, but one that is not healthy is
 * replaced; hook and draining apply. The member may already be gone.
 */
export async function replaceMember(region: Region, { id, group, member }: StackInstance): Promise<void> {
  if (group !== undefined && member?.LifecycleState === 'Protected') await unprotect(region, group, [id]);
  await ifThere(() =>
    region.clients.call({
      service: 'ess',
      action: 'SetInstanceHealth',
      query: { InstanceId: id, HealthStatus: 'Unhealthy' },
    }),
  );
}
