import type { VendorEvent } from '../../vendor.ts';

/** Events and result of the last operation on a stack. */
export interface OperationHistory {
  /** Oldest first. */
  events: readonly VendorEvent[];
  /** The first failure; later ones are mostly its consequences. Empty if nothing failed. */
  reason: string;
  /** What could not be undone after that failure. */
  undoFailures: readonly ResourceFailure[];
  /** A deletion that Almanac requested. */
  ownDeletion: boolean;
  /** The target version, taken from the request token; undefined if the token has none. */
  version: string | undefined;
  /** The token of the request that started it; empty if it has none. */
  token: string;
  /** The stores that exist after a failure. */
  places?: StorePlaces;
}

export interface ResourceFailure {
  resource: string;
  /** The resource with its type, and why it failed. */
  text: string;
}

/** Physical ids of the resources that may be stores, by logical id. Caches may be Memcached, which holds only copies. */
export interface StorePlaces {
  databases: ReadonlyMap<string, string>;
  caches: ReadonlyMap<string, string>;
  volumes: ReadonlyMap<string, string>;
}

export const emptyHistory: OperationHistory = {
  events: [],
  reason: '',
  undoFailures: [],
  ownDeletion: false,
  version: undefined,
  token: '',
};
