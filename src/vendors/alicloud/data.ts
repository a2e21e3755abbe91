import type { DocumentChange, RemovedData } from '../data.ts';
import type { AlicloudDocument } from './document.ts';
import { holdsData } from './layout/impact.ts';
import { preview } from './preview.ts';

/** The data that an update, or null: the deletion of the stack, removes. ROS takes no snapshots, so it says so of none. */
export function removedData({ before, after }: DocumentChange<AlicloudDocument>): RemovedData[] {
  const stores = Object.entries(before.template.Resources).filter(([, resource]) => holdsData(resource));
  if (stores.length === 0) return [];
  const actions = after
    ? new Map(preview(before, after).map(({ resource, action }) => [resource, action]))
    : undefined;
  return stores.flatMap(([resource, { Type }]) => {
    const action = actions ? actions.get(resource) : 'remove';
    if (action !== 'remove' && action !== 'replace') return [];
    return [{ action, resource, resourceType: Type, keptAs: '' }];
  });
}
