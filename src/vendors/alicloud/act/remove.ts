import { dataChoiceOf, type RemoveRequest } from '../../data.ts';
import { type Answer, accepted, type StackOnVendor } from '../../vendor.ts';
import { isBusy, isStackGone, Refusal, toStackAnswer } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { readDetails } from '../observe/read-details.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { plainVersion } from '../observe/versions.ts';
import { findCloudStack, type Region, readNow } from '../region.ts';
import { removeLifecycleHooks } from './lifecycle-hook.ts';
import { findSurvivingData } from './live-stack.ts';
import { removeSecrets } from './secrets.ts';

/** Deletes the stack, and what Almanac keeps for it outside the stack, even if the stack was never created. */
export const remove = (region: Region, { id }: StackOnVendor, request: RemoveRequest): Promise<Answer> =>
  toStackAnswer(async () => {
    const existing = await findFresh(region, id);
    // Servers that a running update launches still need their token: it is kept until the deletion starts.
    if (!existing || (await startDeletion(region, existing, request))) await removeSecrets(region, id);
    return accepted;
  });

/** Reads again before reporting that there is no stack: another Almanac server may have just created it. */
async function findFresh(region: Region, id: string): Promise<CloudStack | undefined> {
  const { value } = await findCloudStack(region, id, region.pollMs / 5);
  return value ?? readNow(region, id);
}

/** False: ROS first finishes another operation; call again later. */
async function startDeletion(
  region: Region,
  existing: CloudStack,
  { releases }: RemoveRequest,
): Promise<boolean> {
  const { kind, doing } = phaseOf(existing.status);
  if (kind === 'busy' && doing === 'remove') return true;
  if (dataChoiceOf(releases) === 'keep') await refuseToLose(region, existing);
  // A hook would hold every server of a group, and so the deletion, for a heartbeat.
  if (kind !== 'busy') await removeLifecycleHooks(region, existing);
  return requestDeletion(region, existing);
}

/** What was never complete holds no data yet. */
const mayHoldData = ({ status }: CloudStack): boolean => !/^(CREATE_(?!COMPLETE)|REVIEW_)/.test(status);

/** Nothing in ROS keeps the data of what a stack had. */
async function refuseToLose(region: Region, stack: CloudStack): Promise<void> {
  const data = mayHoldData(stack) ? await findSurvivingData(region, stack) : [];
  if (data.length > 0)
    throw new Refusal(
      `Alibaba Cloud cannot keep the data of ${data.join(' and ')} of a deleted stack. ` +
        'Back it up by hand, then delete the stack with data=delete.',
    );
}

/** Asks ROS to delete a stack; it may already be gone. False: ROS first finishes another operation. */
export async function requestDeletion(region: Region, stack: CloudStack): Promise<boolean> {
  const { stackId, rosId } = stack;
  const { rawVersion } = await readDetails(region, stack);
  const query = { StackId: rosId, ...(region.role === null ? {} : { RamRoleName: region.role }) };
  try {
    await region.clients.call({ service: 'ros', action: 'DeleteStack', query });
  } catch (cause) {
    if (isBusy(cause)) return false;
    if (!isStackGone(cause)) throw cause;
  }
  const conflict = region.conflicts.get(stackId);
  if (conflict) region.conflicts.set(stackId, { ...conflict, isRepeated: true });
  region.operations.accept(stackId, { doing: 'remove', version: plainVersion(rawVersion) });
  return true;
}
