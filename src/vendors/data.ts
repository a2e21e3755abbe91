import type { DataChoice, StoreKind } from '../model/data-choice.ts';
import type { Answer } from './answer.ts';
import type { StackOnVendor, VendorDocument } from './stack-on-vendor.ts';

/** A store of data that a document declares. */
export interface DeclaredStore {
  /** The name of its resource in the document. Disks of several servers may belong to one resource. */
  resource: string;
  resourceType: string;
  kind: StoreKind;
  /** The name of the database or cache, or the flag of the layer. */
  name: string;
}

/** A store of data that exists at the vendor. */
export interface ObservedStore extends DeclaredStore {
  /** The vendor's own id of what holds the data. A new, empty store of the same resource has another id. */
  id: string;
  /** It may hold data: it was ready at least once. False: it is being made. */
  usable: boolean;
  sizeGib: number | null;
}

/** Data that outlived its store, such as a snapshot, a backup or a volume. */
export interface KeptStore {
  /** The vendor's id of the store that the data comes from. */
  storeId: string;
  /** What the vendor restores it from, such as the id of a snapshot. */
  reference: string;
  /** A sentence for users: what it is and where to find it. */
  where: string;
  since: number;
  /** When the vendor deletes it; null: never. */
  until: number | null;
}

/** A caller's word about one store, for one request. */
export interface Release {
  storeId: string;
  resource: string;
  kind: StoreKind;
  /** Always `delete` for a disk. */
  choice: DataChoice;
}

export interface RemoveRequest {
  /** One for each store of the stack: a store without one is never removed. */
  releases: readonly Release[];
  /** Equal in every retry of one request for deletion, different in the next one. */
  intent: string;
}

/** Data without a word about it is kept. */
export const choiceOf = (releases: readonly Release[], resource: string): DataChoice =>
  releases.some((release) => release.resource === resource && release.choice === 'delete')
    ? 'delete'
    : 'keep';

/** The resources that the caller allows to be replaced by empty ones. */
export const releasedResources = (releases: readonly Release[]): string[] => [
  ...new Set(releases.map(({ resource }) => resource)),
];

/** Not cancelled: the update can no longer be stopped. It is complete, or already removes what it replaced. */
export type CancelAnswer = { cancelled: true } | { cancelled: false; reason: string };
export const cancelled: CancelAnswer = { cancelled: true };
export const tooLate = (reason: string): CancelAnswer => ({ cancelled: false, reason });

/** The part of a driver that works on data. */
export interface DataDriver {
  /**
   * Starts the work; does not wait for it. Idempotent; retries what failed before. May take several calls. Also removes
   * resources outside the vendor's own stack, except the data that the releases keep.
   */
  remove(stack: StackOnVendor, request: RemoveRequest): Promise<Answer>;
  /**
   * Stops the update to this version before it removes anything. What existed before the update still exists, with its data;
   * `apply` of the version before restores the rest. Also `cancelled` if the update has not started. Idempotent.
   */
  cancelUpdate(stack: StackOnVendor, version: string): Promise<CancelAnswer>;
  /** What is kept of the stack's stores outside the stack. Also after the stack is gone. Absent: the vendor keeps nothing. */
  listKept?(stack: StackOnVendor): Promise<readonly KeptStore[]>;
}

/** The change of a stack from one document to another. */
export interface DocumentChange<Document = VendorDocument> {
  before: Document;
  after: Document;
}

/** A store that is to be kept, and the document it is part of, if that is known. */
export interface Keeping<Document = VendorDocument> {
  stackId: string;
  store: DeclaredStore & { id: string };
  document: Document | undefined;
}

/** The part of a vendor that knows where data is, from documents alone. */
export interface DataVendor {
  /** Pure. */
  storesOf(document: VendorDocument): readonly DeclaredStore[];
  /** Resources of stores in both documents that the change replaces by empty ones. Pure, and fast when there are none. */
  replacedStores(change: DocumentChange): Promise<readonly string[]>;
  /** A sentence: how the vendor keeps the data of a removed or replaced store, and where to find it. Empty: it cannot. */
  keptAs(keeping: Keeping): string;
  /**
   * The document, with the stores of these resources made from kept data (by `KeptStore.reference`) instead of empty. What
   * `choose` and `compile` make of a later model stays restored. Absent: the vendor cannot restore.
   */
  restore?(document: VendorDocument, references: ReadonlyMap<string, string>): VendorDocument;
  /** A store that returns under its name has its kept data again, without being asked to. */
  reusesKept?: boolean;
}
