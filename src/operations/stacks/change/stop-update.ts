import { Failure } from '../../../basics/failure.ts';
import { versionsRequestedSinceComplete } from '../../../store/stacks/events.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion, type VersionRow } from '../../../store/stacks/versions.ts';
import type { DataVendor, RemovedData } from '../../../vendors/data.ts';
import { stackOnVendor } from '../../../vendors/vendor.ts';
import { askVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { connectVendor, vendorOf } from '../submit/vendor-access.ts';

export const refuseCancel = (message: string, description: string): never => {
  throw new Failure('conflict', message, { description });
};

/** Returns the version to go back to: the last one in which the stack was complete. */
export function lastSettled({
  id,
  status,
  desired_version: desired,
  settled_version: settled,
}: StackRow): string {
  if (status === 'CREATE_IN_PROGRESS')
    return refuseCancel(
      `Stack ${id} is still being created; there is no update to cancel`,
      'Delete it to stop its creation.',
    );
  if (status !== 'UPDATE_IN_PROGRESS' || settled === desired)
    return refuseCancel(
      `Stack ${id} has no update in progress`,
      'To restore an older template, roll back to its version.',
    );
  return (
    settled ??
    refuseCancel(
      `Stack ${id} has never been complete; there is no version to go back to`,
      'Send another update, which replaces this one, or delete the stack.',
    )
  );
}

/**
 * Stops the update at the vendor if it removes data, and returns what it would have removed. Not inside a transaction:
 * clouds are slow. An update that removes no data can be undone at any time, without the vendor.
 */
export async function stopLosses(service: Service, stack: StackRow): Promise<string> {
  const settled = lastSettled(stack);
  const { query } = service.database;
  const before = await findVersion(query, stack.id, settled);
  const after = await findVersion(query, stack.id, stack.desired_version);
  if (!before || !after) return '';
  const vendor = await vendorOf(service, stack);
  const { removed, emptied } = await lossesBetween(vendor, before, after);
  const losses = [...removed, ...emptied];
  if (losses.length === 0) return '';
  if (await wasLostBefore(service, stack, { vendor, before, losses }))
    return refuseTooLate(stack, losses, 'several updates were sent since the stack was complete.');
  if (emptied.length > 0 && stack.tried_wish === stack.desired_version)
    return refuseTooLate(stack, emptied, 'the update may already have moved data to where only it finds it.');
  const driver = await connectVendor(service, stack);
  const answer = await askVendor(() => driver.cancelUpdate(stackOnVendor(stack), stack.desired_version));
  return answer.cancelled ? lossesOf(losses) : refuseTooLate(stack, losses, answer.reason);
}

interface Losses {
  /** What the update removes. */
  removed: readonly RemovedData[];
  /** What the update only changes, but the way back would replace by an empty one. */
  emptied: readonly RemovedData[];
}

async function lossesBetween(vendor: DataVendor, before: VersionRow, after: VersionRow): Promise<Losses> {
  const [older, newer] = [before.vendor_document, after.vendor_document];
  const stackId = before.stack_id;
  const removed = await vendor.removedData({ stackId, before: older, after: newer });
  const back = await vendor.removedData({ stackId, before: newer, after: older });
  const known = new Set(removed.map(({ resource }) => resource));
  // What only the newer version has is removed by the cancellation, as the caller wants.
  const emptied = back.filter(({ action, resource }) => action === 'replace' && !known.has(resource));
  return { removed, emptied };
}

interface Lost {
  vendor: DataVendor;
  before: VersionRow;
  losses: readonly RemovedData[];
}

/** Whether an update between the last complete version and the desired one may have removed the same data already. */
async function wasLostBefore(
  { database: { query } }: Service,
  stack: StackRow,
  { vendor, before, losses }: Lost,
): Promise<boolean> {
  const resources = new Set(losses.map(({ resource }) => resource));
  for (const id of await versionsRequestedSinceComplete(query, stack.id)) {
    if (id === before.id || id === stack.desired_version) continue;
    const between = await findVersion(query, stack.id, id);
    if (!between) return true;
    const { removed, emptied } = await lossesBetween(vendor, before, between);
    if ([...removed, ...emptied].some(({ resource }) => resources.has(resource))) return true;
  }
  return false;
}

const lossesOf = (removed: readonly RemovedData[]): string =>
  removed
    .map(
      ({ resource, resourceType, keptAs }) =>
        `The data of ${resourceType} ${resource}: ${keptAs || 'it is lost.'}`,
    )
    .join(' ');

const refuseTooLate = (stack: StackRow, removed: readonly RemovedData[], reason: string): never =>
  refuseCancel(
    `It is too late to cancel the update of stack ${stack.id}: ${reason} Going back would create ` +
      `${removed.map(({ resourceType, resource }) => `${resourceType} ${resource}`).join(' and ')} new and empty`,
    `${lossesOf(removed)} To go back all the same, roll back to version ${stack.settled_version} when the update is complete ` +
      '(POST /v3/alm/stack/{stack_id}/rollback, or `alm stack rollback`).',
  );
