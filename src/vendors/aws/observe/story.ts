import type { VendorEvent } from '../../vendor.ts';

/** What the last operation on a stack told, oldest first. */
export interface Story {
  events: readonly VendorEvent[];
  /** The first thing that went wrong; what follows it is mostly its consequence. Empty when nothing did. */
  reason: string;
  /** The version it was to bring, by the token it was begun with; undefined when it does not tell. */
  version: string | undefined;
}
