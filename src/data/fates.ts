import type { DataChoice, StoreKind } from '../model/data-choice.ts';
import type { StoreRow } from '../store/data/stores.ts';
import type { DataVendor } from '../vendors/data.ts';
import type { VendorDocument } from '../vendors/vendor.ts';

/** What a request would do to a store that exists. Stores that stay as they are have no fate. */
export interface Fate {
  store: StoreRow;
  action: 'remove' | 'replace';
  /** What takes the place of a replaced store. */
  instead: 'an empty one' | 'a new one' | 'another one';
  /** How the vendor keeps the data; empty: it cannot. */
  keptAs: string;
}

/** Documents by version. */
type Documents = ReadonlyMap<string, VendorDocument>;

export interface StoreChange {
  stackId: string;
  stores: readonly StoreRow[];
  /** What the vendor may have at present, and what made each store: what cannot change in place is as it was made. */
  before: Documents;
  /** The versions that the vendor may have at present. */
  current: ReadonlySet<string>;
  /** Null: the stack is deleted. */
  after: VendorDocument | null;
  /** Versions that each store, by its id, was released for: they do not have it. */
  releasedFor: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What becomes of the stores of a stack. Pure, apart from questions to the vendor's own pure functions. */
export async function fatesOf(vendor: DataVendor, change: StoreChange): Promise<Fate[]> {
  const { stores, after } = change;
  if (stores.length === 0) return [];
  const declared = new Set(after ? vendor.storesOf(after).map(placeOf) : []);
  const replacements = after ? await replacementsBy(vendor, { ...change, after }) : new Map();
  return stores.flatMap((store) => {
    const isRemoved = !declared.has(placeOf(store));
    if (!isRemoved && !isReplaced(store, change, replacements)) return [];
    const action = isRemoved ? 'remove' : 'replace';
    return [
      { store, action, instead: insteadOf(vendor, store), keptAs: keptAs(vendor, store, change) },
    ] as const;
  });
}

/** Where a vendor uses kept data again by itself, the one before may come back. */
const insteadOf = ({ reusesKept = false }: DataVendor, store: StoreRow): Fate['instead'] => {
  if (isDisk(store)) return 'a new one';
  return reusesKept ? 'another one' : 'an empty one';
};

/** One resource may have stores of two kinds: the disk of a server, and persistent files on it. */
const placeOf = ({ resource, kind }: { resource: string; kind: StoreKind }): string => `${kind} ${resource}`;

type Replacements = ReadonlyMap<string, ReadonlySet<string>>;

/** By version of the document before: the resources that the document after replaces. */
async function replacementsBy(
  vendor: DataVendor,
  { before: documents, after }: StoreChange & { after: VendorDocument },
): Promise<Replacements> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const [version, before] of documents)
    found.set(version, new Set(before === after ? [] : await vendor.replacedStores({ before, after })));
  return found;
}

/** The documents that have this store: a version that it was released for has another one in its place, or none. */
const versionsWith = (
  { id, version_id: made }: StoreRow,
  { before, current, releasedFor }: StoreChange,
): string[] =>
  [...before.keys()].filter(
    (version) => (current.has(version) || version === made) && !releasedFor.get(id)?.has(version),
  );

const isReplaced = (store: StoreRow, change: StoreChange, replacements: Replacements): boolean =>
  versionsWith(store, change).some((version) => replacements.get(version)?.has(store.resource));

function keptAs(vendor: DataVendor, store: StoreRow, change: StoreChange): string {
  const { resource, resource_type: resourceType, kind, name, store_id: id } = store;
  const [version = ''] = versionsWith(store, change);
  const document = change.before.get(version);
  return vendor.keptAs({
    stackId: change.stackId,
    store: { id, resource, resourceType, kind, name },
    document,
  });
}

const exists = ({ state }: StoreRow): boolean => state === 'in_use' || state === 'expected';

export interface Return {
  vendor: DataVendor;
  /** All stores that the stack ever had, the oldest first. */
  rows: readonly StoreRow[];
  document: VendorDocument;
  /** Versions whose stores are not those of the document. */
  except: ReadonlySet<string>;
}

/** The last store of each resource of a document that the stack had once and has no longer: it would be made new and empty. */
export function endedStores({ vendor, rows, document, except }: Return): StoreRow[] {
  const own = rows.filter((row) => !isDisk(row) && !except.has(row.version_id));
  const present = new Set(own.filter(exists).map(placeOf));
  return vendor.storesOf(document).flatMap((store) => {
    const last = own.findLast((row) => placeOf(row) === placeOf(store));
    return last && !present.has(placeOf(store)) ? [last] : [];
  });
}

/** A disk is lost with its server in any case. */
export const choiceFor = ({ store, keptAs: kept }: Fate): DataChoice =>
  store.kind !== 'disk' && kept !== '' ? 'keep' : 'delete';

/** What a caller must say before a store of this kind may go. */
export const isDisk = ({ kind }: { kind: StoreKind }): boolean => kind === 'disk';
