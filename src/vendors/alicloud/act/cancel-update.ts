import { type CancelAnswer, cancelled, tooLate } from '../../data.ts';
import { type StackOnVendor, Unreachable } from '../../vendor.ts';
import { isCode, isStackGone, observing } from '../errors.ts';
import { readHistory } from '../observe/events.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { readDetails } from '../observe/read-details.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { plainVersion, triedVersion } from '../observe/versions.ts';
import { type Region, readNow } from '../region.ts';

const cancellable = 'UPDATE_IN_PROGRESS';
/** The update failed, or is undone: it may have removed something before. */
const stopped = /^(UPDATE_FAILED$|ROLLBACK_)/;

/** Whether the last update is, or may be, the one to this version: its note can be lost. */
function mayBeFor(stack: CloudStack, version: string): boolean {
  const tried = triedVersion(stack);
  return tried === undefined || tried === version;
}

/** ROS deletes what an update replaces as it goes, so an update can be cancelled only before the first removal. */
export async function cancelUpdate(
  region: Region,
  { id }: StackOnVendor,
  version: string,
): Promise<CancelAnswer> {
  const stack = await readNow(region, id);
  if (stack?.status !== cancellable || !mayBeFor(stack, version)) return answerIn(region, stack, version);
  const removed = await removedBy(region, stack);
  if (removed) return removed;
  if (!(await requestCancel(region, stack))) {
    return answerIn(region, await readNow(region, id), version);
  }
  region.operations.accept(id, { doing: 'apply', version });
  // ROS may have started to remove something just before it stopped.
  return (await removedBy(region, stack)) ?? cancelled;
}

/** False: the update has just ended. */
async function requestCancel({ clients }: Region, { rosId }: CloudStack): Promise<boolean> {
  try {
    await clients.call({ service: 'ros', action: 'CancelUpdateStack', query: { StackId: rosId } });
    return true;
  } catch (cause) {
    if (isStackGone(cause) || isCode(cause, /^NotSupported$/)) return false;
    return observing(() => Promise.reject(cause));
  }
}

async function removedBy({ clients }: Region, stack: CloudStack): Promise<CancelAnswer | undefined> {
  const { deleted } = await readHistory(clients, stack);
  return deleted.length > 0
    ? tooLate(`The update already removes what it replaced: ${deleted.join(', ')}.`)
    : undefined;
}

/** The answer where there is nothing to cancel. */
async function answerIn(
  region: Region,
  stack: CloudStack | undefined,
  version: string,
): Promise<CancelAnswer> {
  if (!stack) return cancelled;
  if (phaseOf(stack.status).kind !== 'settled') return answerUnsettled(region, stack, version);
  const { rawVersion } = await readDetails(region, stack);
  return plainVersion(rawVersion) === version ? tooLate('The update is complete.') : cancelled;
}

async function answerUnsettled(region: Region, stack: CloudStack, version: string): Promise<CancelAnswer> {
  if (!mayBeFor(stack, version)) return cancelled;
  if (stack.status === cancellable)
    throw new Unreachable('ROS does not cancel the update at the moment, and it goes on.');
  return (stopped.test(stack.status) ? await removedBy(region, stack) : undefined) ?? cancelled;
}
