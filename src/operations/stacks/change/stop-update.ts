import { Failure } from '../../../basics/failure.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion } from '../../../store/stacks/versions.ts';
import type { RemovedData } from '../../../vendors/data.ts';
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
  const documents = { before: before.vendor_document, after: after.vendor_document };
  const removed = await vendor.removedData({ stackId: stack.id, ...documents });
  if (removed.length === 0) return '';
  // An update between the two may have removed the data already.
  if (after.number > before.number + 1)
    return refuseTooLate(stack, removed, 'several updates were sent since the stack was complete.');
  const driver = await connectVendor(service, stack);
  const answer = await askVendor(() => driver.cancelUpdate(stackOnVendor(stack), stack.desired_version));
  return answer.cancelled ? lossesOf(removed) : refuseTooLate(stack, removed, answer.reason);
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
