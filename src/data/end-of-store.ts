import type { ReleaseRow } from '../store/data/releases.ts';
import type { StoreRow } from '../store/data/stores.ts';
import { type SeenStores, versionIn } from './seen.ts';

interface EndedStores extends SeenStores {
  /** The vendor completed the stack once, also if its containers never served. */
  wasDone: boolean;
}

interface End {
  values: Partial<StoreRow>;
  message: string;
}

const labelOf = ({ resource_type: type, resource, store_id: id }: StoreRow): string =>
  `${type} ${resource} (${id})`;

/** How a store that is gone ended, and what the events say about it. */
export function endOf(row: StoreRow, releases: readonly ReleaseRow[], seen: EndedStores): End {
  const own = releases.filter(({ store }) => store === row.id);
  const kept = seen.kept.find(({ storeId }) => storeId === row.store_id);
  // An update that deletes it may have been faster than a newer request that keeps it.
  const release = (kept ? undefined : own.find(({ choice }) => choice === 'delete')) ?? own[0];
  const ended = { ended_at: seen.now, ended_by: release?.intent ?? '' };
  if (kept) {
    const { reference, where, since, until } = kept;
    const values = { reference, kept_where: where, kept_since: since, kept_until: until };
    return {
      values: { ...ended, ...values, state: 'kept' },
      message: `The data of ${labelOf(row)} is kept as ${row.id}. ${where}`,
    };
  }
  if (release?.choice === 'delete') return { values: { ...ended, state: 'gone' }, message: '' };
  if (row.kind === 'disk') return { values: { ...ended, state: 'gone' }, message: '' };
  if (!release && isUndone(row, seen))
    return {
      values: { ...ended, ended_by: row.version_id, state: 'gone' },
      message: `${labelOf(row)} was undone by the vendor with version ${row.version_id}, which failed.`,
    };
  if (release)
    return {
      values: { ...ended, state: 'kept', kept_where: notShown, kept_since: seen.now },
      message: `${labelOf(row)} is gone. ${notShown}`,
    };
  return {
    values: { ...ended, state: 'lost' },
    message: `${labelOf(row)} is gone. It was deleted outside Almanac.`,
  };
}

/** Some vendors list what they keep only after a while: describing the store asks again. */
const notShown = 'Its data was to be kept, but the vendor does not show what it kept yet.';

/** A vendor undoes a version that fails: what only that version made goes again. */
const isUndone = ({ version_id: version }: StoreRow, { stack, observation, wasDone }: EndedStores): boolean =>
  version !== stack.settled_version &&
  observation.kind !== 'settled' &&
  (observation.kind === 'absent' ? !wasDone : versionIn(observation, stack) === version);
