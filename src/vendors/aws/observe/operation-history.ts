import type { VendorEvent } from '../../vendor.ts';

/** Events and result of the last operation on a stack. */
export interface OperationHistory {
  /** Oldest first. */
  events: readonly VendorEvent[];
  /** The first failure; later ones are mostly its consequences. Empty if nothing failed. */
  reason: string;
  /** The target version, taken from the request token; undefined if the token has none. */
  version: string | undefined;
}
