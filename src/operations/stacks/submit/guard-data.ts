import { Failure } from '../../../basics/failure.ts';
import type { DataChoice } from '../../../model/data-choice.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Query } from '../../../store/database/database.ts';
import { versionIdsFrom } from '../../../store/stacks/prune-versions.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion } from '../../../store/stacks/versions.ts';
import type { RemovedData } from '../../../vendors/data.ts';
import type { VendorDocument } from '../../../vendors/vendor.ts';
import type { Service } from '../../service.ts';
import { refuseProtected } from './protected-data.ts';
import { startedVersion } from './started-version.ts';
import { vendorOf } from './vendor-access.ts';

/** One sentence for each store. */
const describeRemoved = (removed: readonly RemovedData[]): string =>
  removed
    .map(({ action, resource, resourceType, keptAs }) =>
      [
        `${resourceType} ${resource} would be ${action === 'remove' ? 'removed' : 'replaced by an empty one'}.`,
        keptAs || 'Its data would be lost.',
      ].join(' '),
    )
    .join(' ');

interface GuardedUpdate {
  current: StackRow;
  after: { model: StackModel; vendor_document: VendorDocument };
  /** What the caller confirmed; undefined: nothing. */
  confirmed: DataChoice | undefined;
}

const adviceFor = (removed: readonly RemovedData[]): string =>
  removed.every(({ keptAs }) => keptAs !== '')
    ? 'To go on, repeat the request with ?data=keep (alm: --keep-data): the data is kept as described. Otherwise leave the resource in the document.'
    : 'To go on and lose the data, repeat the request with ?data=delete (alm: --delete-data). To keep it, first update the stack with its current document, ' +
      'which renews how its data is kept, and then repeat this request with ?data=keep (alm: --keep-data).';

/**
 * Refuses an update that removes data and that the caller has not confirmed: clients that know nothing of this never lose
 * data. Returns the resources that the caller allows to be replaced by empty ones. Runs inside the transaction of the update.
 */
export async function refuseUnconfirmedLoss(
  service: Service,
  query: Query,
  { current, after, confirmed }: GuardedUpdate,
): Promise<string[]> {
  const before = await findVersion(query, current.id, current.desired_version);
  if (!before) return [];
  refuseProtected(before.model, after.model);
  const removed = await dataRemovedFrom(service, query, { stack: current, after: after.vendor_document });
  if (confirmed === 'delete') return replacedIn(removed);
  const refused = confirmed === 'keep' ? removed.filter(({ keptAs }) => keptAs === '') : removed;
  if (refused.length === 0) return replacedIn(removed);
  throw new Failure('conflict', `The update removes data. ${describeRemoved(refused)}`, {
    description: adviceFor(refused),
  });
}

const replacedIn = (removed: readonly RemovedData[]): string[] =>
  removed.filter(({ action }) => action === 'replace').map(({ resource }) => resource);

/** Refuses a deletion that would lose data, where the vendor keeps none and the caller has not confirmed it. */
export function refuseUnkeptLoss(stores: readonly RemovedData[]): void {
  if (stores.length === 0) return;
  throw new Failure('conflict', `The deletion removes data. ${describeRemoved(stores)}`, {
    description:
      'The vendor cannot keep it. Back it up first if you need it. To go on and lose the data, repeat the request with ' +
      '?data=delete (alm: --delete-data).',
  });
}

/** All data of a stack, also what only an unfinished version has: that one may exist by now. */
export const dataOfStack = (service: Service, query: Query, stack: StackRow): Promise<RemovedData[]> =>
  dataRemovedFrom(service, query, { stack, after: null });

interface Removal {
  stack: StackRow;
  /** Null: the stack is deleted. */
  after: VendorDocument | null;
}

/** After a deletion that failed, nothing tells which version it began to remove: it may be any since the last complete one. */
async function versionsAtVendor(query: Query, stack: StackRow): Promise<Set<string>> {
  const { id, settled_version: settled, desired_version: desired } = stack;
  const started = startedVersion(stack);
  const known = [settled, started].filter((each) => each !== null);
  if (started === null || (await findVersion(query, id, started))) return new Set(known);
  const since = await versionIdsFrom(query, id, settled);
  return new Set([...known, ...since.filter((each) => each !== desired)]);
}

/**
 * The vendor may still have the last complete version, because a later one failed or was never sent, or the one that it started
 * last. So data counts as kept only if the change keeps it from both.
 */
async function dataRemovedFrom(
  service: Service,
  query: Query,
  { stack, after }: Removal,
): Promise<RemovedData[]> {
  const vendor = await vendorOf(service, stack, query);
  const stores = new Map<string, RemovedData>();
  for (const id of await versionsAtVendor(query, stack)) {
    const version = await findVersion(query, stack.id, id);
    if (!version) continue;
    const change = { stackId: stack.id, before: version.vendor_document, after };
    for (const store of await vendor.removedData(change)) {
      const isLost = stores.get(store.resource)?.keptAs === '';
      stores.set(store.resource, isLost ? { ...store, keptAs: '' } : store);
    }
  }
  return [...stores.values()];
}
