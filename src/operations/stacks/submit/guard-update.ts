import { fatesOfStack } from '../../../data/at-vendor.ts';
import { unprotectedBy } from '../../../data/protected.ts';
import { saveReleases } from '../../../store/data/releases.ts';
import type { Query } from '../../../store/database/database.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { readDesiredModel } from '../../../store/stacks/versions.ts';
import type { Service } from '../../service.ts';
import {
  type DataWord,
  describeReleased,
  refuseProtected,
  refuseToRemove,
  releaseOrRefuse,
  releaseRows,
} from './guard-data.ts';
import type { NewVersion } from './new-version.ts';
import { vendorOf } from './vendor-access.ts';

interface GuardedUpdate {
  current: StackRow;
  after: NewVersion['row'];
  word: DataWord | undefined;
}

/**
 * Refuses an update that removes data and that the caller has not confirmed. Returns a sentence for each store that it removes.
 * Runs inside the transaction of the update.
 */
export async function guardUpdate(
  service: Service,
  query: Query,
  { current, after, word = {} }: GuardedUpdate,
): Promise<string[]> {
  const { model } = await readDesiredModel(query, current);
  refuseToRemove(unprotectedBy(model, after.model));
  const vendor = await vendorOf(service, current, query);
  const fates = await fatesOfStack(query, { stack: current, vendor, after: after.vendor_document });
  if (fates.length === 0) return [];
  refuseProtected(fates, [model]);
  const released = releaseOrRefuse(service, { fates, word, what: 'The update' });
  const request = { intent: after.id, by: after.created_by, now: service.clock.now() };
  await saveReleases(query, releaseRows(released, request));
  return describeReleased(released);
}
