import { Failure, type StoreToRestore } from '../../../basics/failure.ts';
import { endedStores } from '../../../data/fates.ts';
import { type StoreRow, storesOfStack } from '../../../store/data/stores.ts';
import type { Query } from '../../../store/database/database.ts';
import type { Vendor, VendorDocument } from '../../../vendors/vendor.ts';
import { cannotRestore, isRestorable } from '../submit/restore-data.ts';

interface Returning {
  stackId: string;
  vendor: Vendor;
  document: VendorDocument;
  now: number;
  /** `latest`, `empty`, or ids of kept data with commas between them; undefined: the caller has not decided. */
  restore: string | undefined;
}

/** A store that the stack had once and has no longer, and what is kept of it, the newest first. */
interface Missing {
  resource: string;
  resourceType: string;
  kept: readonly StoreRow[];
}

const missingFrom = (rows: readonly StoreRow[], { vendor, document, now }: Returning): Missing[] =>
  endedStores({ vendor, rows, document, except: new Set() }).map(
    ({ resource, resource_type: resourceType, kind }) => ({
      resource,
      resourceType,
      kept: rows
        .filter((row) => row.resource === resource && row.kind === kind)
        .filter((row) => isRestorable(row, now))
        .toSorted((one, other) => (other.kept_since ?? 0) - (one.kept_since ?? 0)),
    }),
  );

const sentenceOf = ({ resource, resourceType, kept: [newest] }: Missing): string =>
  newest
    ? `${resourceType} ${resource} is made new and empty. Its last data is kept as ${newest.id}. ${newest.kept_where}`
    : `${resourceType} ${resource} is made new and empty. Nothing that the vendor shows is kept of its last data.`;

const restoredSentence = ({ resource, resourceType }: Missing, { id, kept_where }: StoreRow): string =>
  `${resourceType} ${resource} is made with its last data, kept as ${id}. ${kept_where}`;

const toRestore = (store: Missing, canRestore: boolean): StoreToRestore => {
  const { resource, resourceType, kept } = store;
  const restored = (canRestore ? kept : []).slice(0, 1).map((newest) => restoredSentence(store, newest));
  return {
    resource,
    resource_type: resourceType,
    kept: kept[0]?.id ?? '',
    confirm: [...restored.map(() => 'restore=latest'), 'restore=empty'],
    sentences: [...restored, sentenceOf(store)],
  };
};

const isAnyKept = (missing: readonly Missing[]): boolean => missing.some(({ kept }) => kept.length > 0);

function refuseUndecided(missing: readonly Missing[], { vendor }: Returning): never {
  const canRestore = vendor.restore !== undefined;
  const latest = 'To restore the data, repeat the request with ?restore=latest (alm: --restore latest). ';
  throw new Failure('conflict', missing.map(sentenceOf).join(' '), {
    description: `${canRestore && isAnyKept(missing) ? latest : ''}To begin empty: ?restore=empty (alm: --restore empty).`,
    returning: missing.map((store) => toRestore(store, canRestore)),
  });
}

function chosenFor({ resource, resourceType, kept }: Missing, restore: string): StoreRow | undefined {
  const words = restore.split(',');
  const found = restore === 'latest' ? kept[0] : kept.find(({ id }) => words.includes(id));
  if (found || words.includes('empty')) return found;
  throw new Failure('conflict', `Nothing is kept of ${resourceType} ${resource} as ${restore}`, {
    description: '"alm data list" shows what is kept. To begin empty: ?restore=empty (alm: --restore empty).',
  });
}

/** For stores that an older version has and the stack no longer: the kept data to restore, or a refusal that asks. */
export async function broughtBack(
  query: Query,
  returning: Returning,
): Promise<{ chosen: Map<string, StoreRow>; notes: string[] }> {
  const { stackId, vendor, restore } = returning;
  const missing = vendor.reusesKept ? [] : missingFrom(await storesOfStack(query, stackId), returning);
  if (missing.length === 0) return { chosen: new Map(), notes: [] };
  if (restore === undefined) return refuseUndecided(missing, returning);
  // The refusal said which of them begin empty because nothing is kept.
  const takesAnyKept = restore === 'latest' && isAnyKept(missing);
  const chosen = new Map<string, StoreRow>();
  const empty: Missing[] = [];
  for (const store of missing) {
    const kept = takesAnyKept ? store.kept[0] : chosenFor(store, restore);
    if (kept) chosen.set(store.resource, kept);
    else empty.push(store);
  }
  if (chosen.size > 0 && !vendor.restore)
    throw new Failure('conflict', `The data cannot be restored: ${cannotRestore(vendor)}`);
  return { chosen, notes: empty.map(sentenceOf) };
}
