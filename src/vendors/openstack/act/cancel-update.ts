import { type CancelAnswer, cancelled, tooLate } from '../../data.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { isGone, isType } from '../errors.ts';
import { readHistory } from '../observe/events.ts';
import { isSettled } from '../observe/hidden-failure.ts';
import { type HeatStack, readByName } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';
import { requestAction } from './requests.ts';

const cancellable = 'UPDATE_IN_PROGRESS';

/** Heat removes what an update replaced as it goes, so an update can be cancelled only before the first removal. */
export async function cancelUpdate(
  region: Region,
  { id }: StackOnVendor,
  version: string,
): Promise<CancelAnswer> {
  const stack = await readByName(region.client, id);
  const isRunning = stack?.version === version && stack.status === cancellable;
  // An old engine accepts an update before it shows it.
  if (
    !region.dialect.capabilities.actions &&
    (isRunning || region.operations.unseen(id)?.version === version)
  )
    return tooLate(`${region.dialect.label} cannot cancel an update. Wait until it ends, then roll back.`);
  if (!isRunning) return answerIn(region, stack, version);
  const removed = await removedBy(region, stack);
  if (removed) return removed;
  try {
    await requestAction(region, stack, 'cancel_without_rollback');
  } catch (cause) {
    // It has just ended.
    if (!isGone(cause) && !isType(cause, 'NotSupported')) throw cause;
    return answerIn(region, await readByName(region.client, id), version);
  }
  region.operations.accept(id, { doing: 'apply', version });
  // Heat may have started to remove something just before it stopped.
  return (await removedBy(region, stack)) ?? cancelled;
}

async function removedBy({ client }: Region, stack: HeatStack): Promise<CancelAnswer | undefined> {
  const { deleted } = await readHistory(client, stack);
  return deleted.length > 0
    ? tooLate(`The update already removes what it replaced: ${deleted.join(', ')}.`)
    : undefined;
}

/** The answer where there is nothing to cancel. */
async function answerIn(
  region: Region,
  stack: HeatStack | undefined,
  version: string,
): Promise<CancelAnswer> {
  const isAt = stack?.version === version && (await isSettled(region, stack));
  return isAt ? tooLate('The update is complete.') : cancelled;
}
