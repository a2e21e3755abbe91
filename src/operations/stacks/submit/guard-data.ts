import { Failure } from '../../../basics/failure.ts';
import type { DataChoice } from '../../../model/data-choice.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Query } from '../../../store/database/database.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion } from '../../../store/stacks/versions.ts';
import type { RemovedData } from '../../../vendors/data.ts';
import type { VendorDocument } from '../../../vendors/vendor.ts';
import type { Service } from '../../service.ts';
import { refuseProtected } from './protected-data.ts';
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
 * data. Runs inside the transaction of the update.
 */
export async function refuseUnconfirmedLoss(
  service: Service,
  query: Query,
  { current, after, confirmed }: GuardedUpdate,
): Promise<void> {
  const before = await findVersion(query, current.id, current.desired_version);
  if (!before) return;
  refuseProtected(before.model, after.model);
  if (confirmed === 'delete') return;
  const removed = await dataRemovedFrom(service, query, { stack: current, after: after.vendor_document });
  const refused = confirmed === 'keep' ? removed.filter(({ keptAs }) => keptAs === '') : removed;
  if (refused.length === 0) return;
  throw new Failure('conflict', `The update removes data. ${describeRemoved(refused)}`, {
    description: adviceFor(refused),
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

/**
 * Whether nothing of the desired version was ever made: the vendor refused it, and has started nothing since it completed the
 * settled version. An update that failed later may have made a database, which may still be there.
 */
const neverStarted = ({ desired_version, settled_version, refused_wish, tried_wish }: StackRow): boolean =>
  refused_wish === desired_version && tried_wish === settled_version && settled_version !== desired_version;

/**
 * The vendor may still have the last complete version, because the desired one failed or was never sent, or the desired one.
 * So data counts as kept only if the change keeps it from both.
 */
async function dataRemovedFrom(
  service: Service,
  query: Query,
  { stack, after }: Removal,
): Promise<RemovedData[]> {
  const vendor = await vendorOf(service, stack, query);
  const stores = new Map<string, RemovedData>();
  const possible = neverStarted(stack) ? [] : [stack.desired_version];
  for (const id of new Set([stack.settled_version, ...possible])) {
    const version = id === null ? undefined : await findVersion(query, stack.id, id);
    if (!version) continue;
    const change = { stackId: stack.id, before: version.vendor_document, after };
    for (const store of await vendor.removedData(change)) {
      const isLost = stores.get(store.resource)?.keptAs === '';
      stores.set(store.resource, isLost ? { ...store, keptAs: '' } : store);
    }
  }
  return [...stores.values()];
}
