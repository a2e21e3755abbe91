import { releasesOfStack } from '../store/data/releases.ts';
import { existingStores } from '../store/data/stores.ts';
import type { Query } from '../store/database/database.ts';
import type { StackRow } from '../store/stacks/stacks.ts';
import { findVersion } from '../store/stacks/versions.ts';
import type { DataVendor } from '../vendors/data.ts';
import type { VendorDocument } from '../vendors/vendor.ts';
import { type Fate, fatesOf } from './fates.ts';

type Tried = Pick<StackRow, 'desired_version' | 'settled_version' | 'refused_wish' | 'tried_wish'>;

/**
 * The version of which the vendor last began to make something: the desired one, unless the vendor refused it before it began.
 * A version that failed later counts, because parts of it may exist. No version if the vendor last began a deletion. Null:
 * nothing was ever made.
 */
export function startedVersion(stack: Tried): string | null {
  const { desired_version: desired, settled_version: settled, tried_wish: tried } = stack;
  const isUnmade = stack.refused_wish === desired && tried !== desired && settled !== desired;
  return isUnmade ? tried || settled : desired;
}

/** The vendor may have the last complete version, because a later one failed or was never sent, or one that it began. */
const versionsAtVendor = (stack: Tried): (string | null)[] => [
  stack.settled_version,
  startedVersion(stack),
  stack.tried_wish,
];

export interface Target {
  stack: StackRow;
  vendor: DataVendor;
  /** Null: the stack is deleted. */
  after: VendorDocument | null;
  /** Further versions that the vendor may have. */
  versions?: readonly string[];
}

/** What a change would do to the stores of a stack, also to those that are still being made and hold no data. */
export async function fatesOfStack(
  query: Query,
  { stack, vendor, after, versions = [] }: Target,
): Promise<Fate[]> {
  const stores = await existingStores(query, stack.id);
  if (stores.length === 0) return [];
  const before = new Map<string, VendorDocument>();
  const current = new Set([...versions, ...versionsAtVendor(stack)].filter((id) => id !== null));
  for (const id of new Set([...current, ...stores.map((store) => store.version_id)])) {
    const version = id ? await findVersion(query, stack.id, id) : undefined;
    if (version) before.set(version.id, version.vendor_document);
  }
  const releasedFor = new Map<string, Set<string>>();
  for (const { store, intent } of await releasesOfStack(query, stack.id))
    releasedFor.set(store, (releasedFor.get(store) ?? new Set()).add(intent));
  return fatesOf(vendor, { stackId: stack.id, stores, before, current, after, releasedFor });
}
