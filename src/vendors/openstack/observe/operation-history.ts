import type { VendorEvent } from '../../vendor.ts';

/** Events and result of the last operation on a stack. */
export interface OperationHistory {
  /** Oldest first. */
  events: readonly VendorEvent[];
  /** Why the operation failed, in the words of the stack's own event; empty if it did not. */
  reason: string;
  /** Resources whose deletion started. */
  deleted: readonly string[];
  /** When the last event happened. */
  lastAt: number;
}

export const emptyHistory: OperationHistory = { events: [], reason: '', deleted: [], lastAt: 0 };
