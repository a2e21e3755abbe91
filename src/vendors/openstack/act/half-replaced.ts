import { isGone, isType, Refusal } from '../errors.ts';
import { hasAllEvents, readResourceEvents } from '../observe/events.ts';
import type { HeatStack } from '../observe/list-stacks.ts';
import { isLost } from '../observe/lost-engine.ts';
import type { HeatResource } from '../observe/resources.ts';
import type { Region } from '../region.ts';
import { markUnhealthy } from './missing-servers.ts';
import { requestAction } from './requests.ts';
import { readSameNamed } from './same-named.ts';

const isUpdating = ({ status }: HeatStack): boolean => status === 'UPDATE_IN_PROGRESS';

/** What Heat says of a stack whose update was cancelled, until the next one. */
const isCancelled = ({ status, reason }: HeatStack): boolean =>
  status === 'UPDATE_FAILED' && /^Stack UPDATE cancelled\b/.test(reason);

const cancelledMark = 'Cancelled by Almanac';

/** Whether Heat made a resource that must not take the place of the one before it. It never counts as well again. */
export const isUnwanted = ({ status, reason }: HeatResource): boolean =>
  status === 'CHECK_FAILED' && reason === cancelledMark;

/** Whether Heat can still be led back from what it listed last to what that was to replace. */
export const canTurnBack = (stack: HeatStack, resource: HeatResource): boolean =>
  isUpdating(stack) || isCancelled(stack) || isUnwanted(resource);

interface Replaced {
  ids: readonly string[];
  /** Otherwise they merely have the name, and Heat dropped the events that would tell. */
  isSure: boolean;
}

/**
 * Finds what the listed resource replaces, if Heat still has both. It lists only the new one, and the next update would start
 * from that and delete the old one.
 */
export async function findReplaced(
  region: Region,
  stack: HeatStack,
  resource: HeatResource,
): Promise<Replaced> {
  const events = await readResourceEvents(region.client, stack, resource.name);
  const idsWith = (status: RegExp): string[] => {
    const ids = events.filter((event) => status.test(event.status)).map(({ id }) => id);
    return ids.filter((id) => id !== '' && id !== resource.physicalId);
  };
  const deleted = new Set(idsWith(/^DELETE_/));
  const ids = [...new Set(idsWith(/_COMPLETE$/))].filter((id) => !deleted.has(id));
  if (ids.length > 0 || (await hasAllEvents(region.client, stack))) return { ids, isSure: true };
  const known = new Set([...idsWith(/./), resource.physicalId]);
  const others = (await readSameNamed(region, stack, resource)).filter((id) => !known.has(id));
  return { ids: others, isSure: false };
}

interface Replacement {
  resource: HeatResource;
  isHidden?: boolean;
}

/**
 * Leads Heat back to what an update was to replace: it starts from what did not fail, and would replace that once more. Returns
 * whether the next update may be sent: Heat first completes what it was making.
 */
export async function turnBack(
  region: Region,
  stack: HeatStack,
  { stores, confirmed }: { stores: readonly Replacement[]; confirmed: ReadonlySet<string> },
): Promise<boolean> {
  const { patch, actions } = region.dialect.capabilities;
  const unwanted = stores.filter(
    ({ resource, isHidden }) => isHidden && !confirmed.has(resource.name) && canTurnBack(stack, resource),
  );
  if (unwanted.length === 0 || !patch || !actions) return true;
  if (isUpdating(stack)) return stop(region, stack);
  const inProgress = unwanted.find(({ resource }) => resource.status.endsWith('_IN_PROGRESS'));
  if (inProgress) return waitFor(region, stack, inProgress.resource);
  for (const { resource } of unwanted)
    if (!resource.status.endsWith('_FAILED')) await markUnhealthy(region, resource, cancelledMark);
  return true;
}

/**
 * Heat ends what it makes at the time limit of the update. What a lost engine was making stays in progress: Heat does not let it be
 * marked, and an update that must not replace it fails before Heat notices the loss.
 */
async function waitFor(region: Region, stack: HeatStack, { name }: HeatResource): Promise<false> {
  if (!(await isLost(region, stack))) return false;
  throw new Refusal(
    `The replacement of ${name} was cancelled, and the engine of Heat that was making the new one is gone, so Heat cannot ` +
      'return to the old one, which is still there with its data. Nothing was changed. Ask the operator of the cloud to run ' +
      `heat-manage reset_stack_status ${stack.heatId}, then update the stack again.`,
  );
}

async function stop(region: Region, stack: HeatStack): Promise<false> {
  try {
    await requestAction(region, stack, 'cancel_without_rollback');
  } catch (cause) {
    // It has just ended.
    if (!isGone(cause) && !isType(cause, 'NotSupported')) throw cause;
  }
  return false;
}
