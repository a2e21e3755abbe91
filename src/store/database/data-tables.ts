import type { DataChoice, StoreKind } from '../../model/data-choice.ts';

/**
 * `expected`: it is being made. `in_use`: it was ready once. `kept`: its data outlived it. `forgotten`: kept, but no longer listed.
 * `gone`: deleted as requested, or undone with a version that failed. `lost`: it vanished, and nobody asked for that.
 */
export type StoreState = 'expected' | 'in_use' | 'kept' | 'forgotten' | 'gone' | 'lost';

export interface DataTables {
  data_stores: DataStoreTable;
  data_releases: DataReleaseTable;
}

/** Everything that holds data at a vendor, as it was observed. Rows outlive their stacks. */
export interface DataStoreTable {
  id: string;
  account_id: string;
  stack_id: string;
  /** The vendor's id. */
  store_id: string;
  resource: string;
  resource_type: string;
  kind: StoreKind;
  name: string;
  size_gib: number | null;
  state: StoreState;
  /** The version that made it. */
  version_id: string;
  since: number;
  /** The store that it was restored from, by its id here. */
  restored_from: string | null;
  /** What the vendor restores it from; null: nothing is kept. */
  reference: string | null;
  kept_where: string;
  kept_since: number | null;
  /** When the vendor deletes what is kept; null: never. */
  kept_until: number | null;
  ended_at: number | null;
  /** The version or deletion with which it ended; empty: it has not, or nobody asked. */
  ended_by: string;
}

/** A caller's word about one store, for one request. */
export interface DataReleaseTable {
  store: string;
  /** The version, or `delete <n>`. */
  intent: string;
  stack_id: string;
  choice: DataChoice;
  released_by: string;
  released_at: number;
}
