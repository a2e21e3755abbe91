import type { Outcome } from '../../../src/basics/problem.ts';
import type { StoreKind } from '../../../src/model/data-choice.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import type { Driver, StackOnVendor, Vendor, VendorDocument } from '../../../src/vendors/vendor.ts';

/**
 * The stores that stacks of the contract have, one of each. `files`: the persistent files of the server of layer `Data0`.
 * `shared`: the shared files of layer `Media0`. `disk`: the disk of the server of `Data0`.
 */
export const parts = ['database', 'cache', 'files', 'shared', 'disk'] as const;
export type Part = (typeof parts)[number];

export const kindOf = (part: Part): StoreKind => (part === 'shared' ? 'files' : part);

/** A disk goes with its server; there is nothing to choose. */
export const dataParts = parts.filter((part) => part !== 'disk');

export type Change = (model: StackModel) => StackModel;

/** What a vendor can do. The contract checks that it says and does exactly this. */
export interface Abilities {
  /** The parts that a stack can have; documents with others are refused. Default: all. */
  has: readonly Part[];
  /** What the data of a removed store is kept as, such as "a snapshot". Default: no part is kept, and requests to keep are refused. */
  keeps: Partial<Record<Part, string>>;
  /** The parts that can be made from kept data. Default: those that are kept. */
  restores: readonly Part[];
  /** An update enlarges a disk in place. Otherwise it replaces the server, and says so before. Default: true. */
  growsDisks: boolean;
  /** `files` outlive their server. Otherwise they are replaced with it, and the vendor says so before. Default: true. */
  filesOutliveServers: boolean;
  /** Stores are observed while they are made. Otherwise only when what makes them is complete. Default: true. */
  showsUnfinished: boolean;
  /** An update begins with its removals, and can then no longer be cancelled. Default: false, it removes last. */
  removesFirst: boolean;
  /** Updates that replace the store by an empty one; null: none does. Default: `replacing` in models.ts. */
  replaces: Partial<Record<Part, Change | null>>;
  /** Updates that change the store in place. Default: `changing` in models.ts. */
  changes: Partial<Record<Part, Change>>;
}

/** A vendor under test, control over its time, and a look at its data from outside the driver. */
export interface DataWorld {
  vendor: Vendor;
  /** A driver for the same credential each time, as after a restart of the server. */
  connect: () => Driver;
  /** A stack that does not exist yet, in the same account each time. */
  newStack: () => StackOnVendor;
  /**
   * What `choose` and `compile` make of a model. `before`: the last document of the stack. May adapt the model to the cloud, such as
   * its types, its images and the servers of `Web0`, but has the same parts. Models with more servers are those of updates that
   * must still be in progress after `passMoment`.
   */
  document: (
    stack: StackOnVendor,
    model: StackModel,
    before: VendorDocument | null,
  ) => Outcome<VendorDocument> | Promise<Outcome<VendorDocument>>;
  /** Long enough for work to start, too short for it to end. */
  passMoment: () => Promise<void>;
  /** Long enough for all work to end. */
  passAll: () => Promise<void>;
  /**
   * Identifies the content of the stack's store: a new, empty store has another one, a restored store that of the store it was
   * kept from. Undefined: there is no such store.
   */
  dataIn: (stack: StackOnVendor, part: Part) => Promise<string | undefined>;
  /** The ids of all stores that exist for the stack, as the vendor's `ObservedStore.id` names them. */
  storeIds: (stack: StackOnVendor) => Promise<readonly string[]>;
  /** Everything that is kept for the stack outside its stores, as the vendor's `KeptStore.reference` names it. */
  keptData: (stack: StackOnVendor) => Promise<readonly string[]>;
  can?: Partial<Abilities>;
  /** The parts in tests of several stores at once; empty: these tests are skipped. Default: all that the vendor has. */
  together?: readonly Part[];
}
