import type { DataChoice } from '../model/data-choice.ts';
import type { Answer } from './answer.ts';
import type { StackOnVendor, VendorDocument } from './stack-on-vendor.ts';

/** A resource whose data cannot be made again, and that a change removes: a primary database, a Redis cache, shared files. */
export interface RemovedData {
  action: 'remove' | 'replace';
  resource: string;
  resourceType: string;
  /** A sentence: how the vendor keeps the data, and where to find it. Empty: this change cannot keep it. */
  keptAs: string;
}

export interface RemoveRequest {
  data: DataChoice;
  /** Equal in every retry of one request for deletion, different in the next one. */
  intent: string;
}

/** Not cancelled: the update can no longer be stopped. It is complete, or already removes what it replaced. */
export type CancelAnswer = { cancelled: true } | { cancelled: false; reason: string };
export const cancelled: CancelAnswer = { cancelled: true };
export const tooLate = (reason: string): CancelAnswer => ({ cancelled: false, reason });

/** The part of a driver that decides about data. */
export interface DataDriver {
  /**
   * Starts the work; does not wait for it. Idempotent; retries what failed before. May take several calls. Also removes
   * resources outside the vendor's own stack, except the data that the request keeps.
   */
  remove(stack: StackOnVendor, request: RemoveRequest): Promise<Answer>;
  /**
   * Stops the update to this version before it removes anything. What existed before the update still exists, with its data;
   * `apply` of the version before restores the rest. Also `cancelled` if the update has not started. Idempotent.
   */
  cancelUpdate(stack: StackOnVendor, version: string): Promise<CancelAnswer>;
}

/** The change of a stack from one document to another; null: to nothing. */
export interface DocumentChange<Document = VendorDocument> {
  stackId: string;
  before: Document;
  after: Document | null;
}

/** The part of a vendor that knows where data is. */
export interface DataVendor {
  /** Nothing keeps the data of a deleted stack, so a deletion must say that it deletes the data. */
  keepsNoData?: boolean;
  /** The data that a change removes. Pure, and fast when it removes none. */
  removedData(change: DocumentChange): Promise<readonly RemovedData[]>;
}
