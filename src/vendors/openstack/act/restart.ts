import { type Answer, accepted, type RestartAnswer, refused, type StackOnVendor } from '../../vendor.ts';
import { toAnswer } from '../errors.ts';
import { isSettled } from '../observe/hidden-failure.ts';
import type { Region } from '../region.ts';
import { notSettled } from './not-settled.ts';
import { findStackInstance, isLeaving, replaceMember, type StackInstance } from './stack-instance.ts';

const notThere = (instanceId: string): Answer => refused(`There is no instance ${instanceId} in this stack.`);

/** An update in progress would create the marked member while it still changes the group. */

/** Replaces a group member; reboots any other server. Does nothing to a server that is being removed. */
export async function restartInstance(
  region: Region,
  stack: StackOnVendor,
  instanceId: string,
): Promise<RestartAnswer> {
  let protectionSeconds: number | null = null;
  const answer = await toAnswer(async () => {
    const found = await findStackInstance(region, stack, instanceId);
    if (!found) return notThere(instanceId);
    // The old member is deleted as soon as the new one is complete.
    if (found.member) protectionSeconds = 0;
    if (isLeaving(found)) return accepted;
    return found.member ? replace(region, found) : reboot(region, instanceId);
  });
  return answer.accepted ? { accepted: true, protectionSeconds } : answer;
}

async function reboot({ client }: Region, id: string): Promise<Answer> {
  const body = { reboot: { type: 'SOFT' } };
  await client.change({ service: 'compute', method: 'POST', path: `/servers/${id}/action`, body });
  return accepted;
}

async function replace(region: Region, found: StackInstance): Promise<Answer> {
  if (!region.dialect.capabilities.patch || !found.member)
    return refused(`${region.dialect.label} cannot replace a single member of a group.`);
  if (!(await isSettled(region, found.stack))) return notSettled(found.stack);
  await replaceMember(region, found.stack, found.member);
  return accepted;
}

/** Creates a new member of the group, then deletes this one. */
export const replaceInstance = (region: Region, stack: StackOnVendor, instanceId: string): Promise<Answer> =>
  toAnswer(async () => {
    const found = await findStackInstance(region, stack, instanceId);
    if (!found) return notThere(instanceId);
    if (isLeaving(found)) return accepted;
    return found.member
      ? replace(region, found)
      : refused(`Instance ${instanceId} is not in a group, so nothing would replace it.`);
  });
