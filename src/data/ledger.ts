import { isDeepStrictEqual } from 'node:util';
import { newStoreId } from '../model/names.ts';
import { type ReleaseRow, releasesOfStack } from '../store/data/releases.ts';
import {
  deleteStore,
  insertStores,
  type StoreRow,
  storesOfStack,
  updateStore,
} from '../store/data/stores.ts';
import type { Query } from '../store/database/database.ts';
import { addEvents, type NewEvent } from '../store/stacks/events.ts';
import { wasVendorDone } from '../store/stacks/rollouts.ts';
import type { StackRow } from '../store/stacks/stacks.ts';
import { findVersion, type RestoredData } from '../store/stacks/versions.ts';
import type { ObservedStore } from '../vendors/data.ts';
import { endOf } from './end-of-store.ts';
import { type Seen, type SeenStores, versionIn } from './seen.ts';

/** While a vendor works, it may not show everything: what is missing then is not gone. */
const showsAll = ({ kind }: Seen): boolean => kind === 'settled' || kind === 'broken' || kind === 'absent';

/** A disk that is being made holds nothing. */
const isNoted = ({ kind, usable }: ObservedStore): boolean => usable || kind !== 'disk';

/** The stores of a stack after an observation, as `stacks.view` has them. */
export function storesSeen({ view }: Pick<StackRow, 'view'>, observation: Seen): ObservedStore[] {
  const seen = (observation.view.stores ?? []).filter(isNoted);
  const ids = new Set(seen.map(({ id }) => id));
  const hidden = showsAll(observation) ? [] : (view.stores ?? []).filter(({ id }) => !ids.has(id));
  return [...hidden, ...seen].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Whether the ledger differs from what an observation shows. */
export const hasNewStores = (stack: Pick<StackRow, 'view'>, observation: Seen): boolean =>
  !isDeepStrictEqual(stack.view.stores ?? [], storesSeen(stack, observation));

/** Whether a store that was there, and may be kept, is gone. */
export const hasLostStores = ({ view }: Pick<StackRow, 'view'>, observation: Seen): boolean => {
  if (!showsAll(observation)) return false;
  const seen = new Set((observation.view.stores ?? []).map(({ id }) => id));
  return (view.stores ?? []).some(({ id, kind }) => kind !== 'disk' && !seen.has(id));
};

/** Makes the ledger equal to what an observation shows. Idempotent. Call it in a transaction. */
export async function recordStores(query: Query, seen: SeenStores): Promise<void> {
  const rows = await storesOfStack(query, seen.stack.id);
  const known = new Map(rows.map((row) => [row.store_id, row]));
  const shown = (seen.observation.view.stores ?? []).filter(isNoted);
  const added = shown.filter(({ id }) => !known.has(id));
  const restored = added.some(({ kind }) => kind !== 'disk') ? await restoredData(query, seen) : {};
  await insertStores(
    query,
    added.map((store) => ({ ...newRow(store, seen), restored_from: restored[store.resource] ?? null })),
  );
  for (const store of shown) await noteAgain(query, known.get(store.id), store);
  if (!showsAll(seen.observation)) return;
  const ids = new Set(shown.map(({ id }) => id));
  const missing = rows.filter(
    ({ store_id: id, state }) => !ids.has(id) && (state === 'in_use' || state === 'expected'),
  );
  await endStores(query, missing, seen);
}

const restoredData = async (query: Query, { stack, observation }: SeenStores): Promise<RestoredData> =>
  (await findVersion(query, stack.id, versionIn(observation, stack)))?.restored_data ?? {};

const newRow = (store: ObservedStore, { stack, observation, now }: SeenStores): StoreRow => ({
  id: newStoreId(stack.account_id),
  account_id: stack.account_id,
  stack_id: stack.id,
  store_id: store.id,
  resource: store.resource,
  resource_type: store.resourceType,
  kind: store.kind,
  name: store.name,
  size_gib: store.sizeGib,
  state: store.usable ? 'in_use' : 'expected',
  version_id: versionIn(observation, stack),
  // Before the ledger was there, nobody looked: it may be as old as the stack.
  since: stack.view.stores === undefined && stack.settled_version !== null ? stack.created_at : now,
  restored_from: null,
  ...notEnded,
});

const notEnded = {
  reference: null,
  kept_where: '',
  kept_since: null,
  kept_until: null,
  ended_at: null,
  ended_by: '',
};

/** A store that was once ready stays in use, and one that ended may return: a vendor can hide it for a time. */
async function noteAgain(query: Query, row: StoreRow | undefined, store: ObservedStore): Promise<void> {
  if (!row) return;
  const state = store.usable || row.state !== 'expected' ? 'in_use' : 'expected';
  const { resource, sizeGib: size } = store;
  if (row.state === state && row.resource === resource && row.size_gib === size) return;
  await updateStore(query, row.id, { state, resource, size_gib: size, ...notEnded });
}

async function endStores(query: Query, missing: readonly StoreRow[], seen: SeenStores): Promise<void> {
  if (missing.length === 0) return;
  const { stack, intent, now, observation } = seen;
  // What was asked for last ended it.
  const rank = (release: ReleaseRow): number =>
    release.intent === intent ? Number.POSITIVE_INFINITY : release.released_at;
  const intents = new Set([intent, stack.tried_wish, stack.settled_version, versionIn(observation, stack)]);
  const releases = (await releasesOfStack(query, stack.id))
    .filter((release) => intents.has(release.intent))
    .toSorted((one, other) => rank(other) - rank(one));
  const wasDone = stack.settled_version !== null || (await wasVendorDone(query, stack.id));
  const events: NewEvent[] = [];
  for (const row of missing) {
    // It never held data.
    if (row.state === 'expected' && !seen.kept.some(({ storeId }) => storeId === row.store_id)) {
      await deleteStore(query, row.id);
      continue;
    }
    const { values, message } = endOf(row, releases, { ...seen, wasDone });
    await updateStore(query, row.id, values);
    const { resource, resource_type: resourceType, store_id: physicalId } = row;
    const versionId = versionIn(observation, stack);
    if (message !== '')
      events.push({ at: now, kind: 'data', message, resource, resourceType, physicalId, versionId });
  }
  await addEvents(query, stack.id, events);
}
