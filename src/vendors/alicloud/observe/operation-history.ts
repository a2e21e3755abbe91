import type { VendorEvent } from '../../vendor.ts';

/** Events and result of the last operation on a stack. */
export interface OperationHistory {
  /** Oldest first. */
  events: readonly VendorEvent[];
  /** The first resource that failed, and why; empty if none did. */
  reason: string;
  /** What could not be undone after that failure. */
  undoFailure: string;
  /** Resources whose deletion the operation started. Undoing it deletes only what it had made. */
  deleted: readonly string[];
}

export const emptyHistory: OperationHistory = { events: [], reason: '', undoFailure: '', deleted: [] };
