import type { RemoveRequest } from '../../data.ts';
import { type Answer, accepted, notBegun, type StackOnVendor } from '../../vendor.ts';
import { isBusy, isStackGone, toStackAnswer } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { readDetails } from '../observe/read-details.ts';
import { mayHoldData, phaseOf } from '../observe/stack-phase.ts';
import { plainVersion } from '../observe/versions.ts';
import { readDataStores } from '../observe/view.ts';
import { findCloudStack, type Region, readNow } from '../region.ts';
import { prepareLosses } from './keep-data.ts';
import { removeLifecycleHooks } from './lifecycle-hook.ts';
import { removeSecrets } from './secrets.ts';

/** Deletes the stack, and what Almanac keeps for it outside the stack, even if the stack was never created. */
export const remove = (region: Region, { id }: StackOnVendor, request: RemoveRequest): Promise<Answer> =>
  toStackAnswer(async () => {
    const existing = await findFresh(region, id);
    if (existing && !isDeleting(existing)) {
      if (!(await prepareDeletion(region, existing, request))) return notBegun;
      // Servers that a running update launches still need their token: it is kept until the deletion starts.
      if (!(await startDeletion(region, existing))) return accepted;
    }
    await removeSecrets(region, id);
    return accepted;
  });

/** Reads again before reporting that there is no stack: another Almanac server may have just created it. */
async function findFresh(region: Region, id: string): Promise<CloudStack | undefined> {
  const { value } = await findCloudStack(region, id, region.pollMs / 5);
  return value ?? readNow(region, id);
}

const isDeleting = ({ status }: CloudStack): boolean => {
  const { kind, doing } = phaseOf(status);
  return kind === 'busy' && doing === 'remove';
};

/** False: data of the stack is not kept yet. */
async function prepareDeletion(
  region: Region,
  stack: CloudStack,
  { releases, intent }: RemoveRequest,
): Promise<boolean> {
  if (!mayHoldData(stack.status)) return true;
  return prepareLosses(region, { stack, stores: await readDataStores(region, stack), releases, intent });
}

/** False: ROS first finishes another operation; call again later. */
async function startDeletion(region: Region, existing: CloudStack): Promise<boolean> {
  // A hook would hold every server of a group, and so the deletion, for a heartbeat.
  if (phaseOf(existing.status).kind !== 'busy') await removeLifecycleHooks(region, existing);
  return requestDeletion(region, existing);
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
