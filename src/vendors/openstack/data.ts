import type { DocumentChange, RemovedData } from '../data.ts';
import type { PlannedChange } from '../vendor.ts';
import type { OpenStackDocument } from './document.ts';
import { holdsData } from './layout/impact.ts';
import { preview } from './preview.ts';

/**
 * The data that an update, or null: the deletion of the stack, removes. No OpenStack service keeps the data of a deleted
 * database by itself, so it says so of none.
 */
export function removedData({ before, after }: DocumentChange<OpenStackDocument>): RemovedData[] {
  const stores = Object.entries(before.template.resources).filter(([, resource]) => holdsData(resource));
  if (stores.length === 0) return [];
  const actions = after
    ? new Map(preview(before, after).map((change) => [change.resource, lossOf(change)]))
    : undefined;
  return stores.flatMap(([resource, { type }]) => {
    const action = actions ? actions.get(resource) : 'remove';
    if (action === undefined) return [];
    return [{ action, resource, resourceType: type, keptAs: '' }];
  });
}

/** A server with another image stays the same server, with an empty disk. */
function lossOf({ action, members }: PlannedChange): RemovedData['action'] | undefined {
  if (action === 'remove' || action === 'replace') return action;
  return members.includes('image') ? 'replace' : undefined;
}
