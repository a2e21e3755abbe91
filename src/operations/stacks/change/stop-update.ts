import { Failure } from '../../../basics/failure.ts';
import { fatesOfStack } from '../../../data/at-vendor.ts';
import { endedStores, type Fate, isDisk } from '../../../data/fates.ts';
import { sentenceOf } from '../../../data/sentences.ts';
import { releasesOfStack } from '../../../store/data/releases.ts';
import { type StoreRow, storesOfStack } from '../../../store/data/stores.ts';
import type { Query } from '../../../store/database/database.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion, type VersionRow } from '../../../store/stacks/versions.ts';
import { stackOnVendor, type Vendor } from '../../../vendors/vendor.ts';
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

interface Stopped {
  stack: StackRow;
  vendor: Vendor;
  /** The version to go back to. */
  target: VersionRow;
}

/**
 * Stops the update at the vendor if a caller released data for it, and returns what it would have removed. Not inside a
 * transaction: clouds are slow. An update that removes no data can be undone at any time, without the vendor.
 */
export async function stopLosses(service: Service, stack: StackRow): Promise<string> {
  const { query } = service.database;
  const target = await findVersion(query, stack.id, lastSettled(stack));
  if (!target) return '';
  const vendor = await vendorOf(service, stack);
  const rows = await storesOfStack(query, stack.id);
  const except = new Set([stack.desired_version]);
  const lost = endedStores({ vendor, rows, document: target.vendor_document, except });
  if (lost.length > 0) return refuseTooLate(stack, lost, 'the data is no longer in the stack.');
  const begun = await releasedInBetween(query, stack, rows);
  if (begun.length > 0)
    return refuseTooLate(stack, begun, 'several updates were sent since the stack was complete.');
  const fates = await releasedFates(query, { stack, vendor, target }, rows);
  if (fates.length === 0) return '';
  const driver = await connectVendor(service, stack);
  const answer = await askVendor(service, stack.account_id, () =>
    driver.cancelUpdate(stackOnVendor(stack), stack.desired_version),
  );
  if (answer.cancelled) return fates.map((fate) => sentenceOf(fate)).join(' ');
  return refuseTooLate(
    stack,
    fates.map(({ store }) => store),
    answer.reason,
  );
}

/** Stores that the vendor may be removing for a version between the last complete one and the one to be cancelled. */
async function releasedInBetween(
  query: Query,
  { id, tried_wish: tried, desired_version: desired, settled_version: settled }: StackRow,
  rows: readonly StoreRow[],
): Promise<StoreRow[]> {
  if (tried === desired || tried === settled) return [];
  const released = new Set(
    (await releasesOfStack(query, id)).filter(({ intent }) => intent === tried).map(({ store }) => store),
  );
  return rows.filter((row) => released.has(row.id) && !isDisk(row) && row.state === 'in_use');
}

/** What the update to be cancelled removes or replaces, and still exists. */
async function releasedFates(
  query: Query,
  { stack, vendor }: Stopped,
  rows: readonly StoreRow[],
): Promise<Fate[]> {
  const released = new Set(
    (await releasesOfStack(query, stack.id))
      .filter(({ intent }) => intent === stack.desired_version)
      .map(({ store }) => store),
  );
  if (!rows.some((row) => released.has(row.id) && !isDisk(row))) return [];
  const desired = await findVersion(query, stack.id, stack.desired_version);
  if (!desired) return [];
  const fates = await fatesOfStack(query, { stack, vendor, after: desired.vendor_document });
  return fates.filter(({ store }) => released.has(store.id) && !isDisk(store));
}

const refuseTooLate = (stack: StackRow, stores: readonly StoreRow[], reason: string): never =>
  refuseCancel(
    `It is too late to cancel the update of stack ${stack.id}: ${reason} Going back would create ` +
      `${stores.map(({ resource_type: type, resource }) => `${type} ${resource}`).join(' and ')} new and empty`,
    `To go back all the same, roll back to version ${stack.settled_version} when the update is complete ` +
      '(POST /v3/alm/stack/{stack_id}/rollback, or `alm stack rollback`). The rollback can restore what is kept.',
  );
