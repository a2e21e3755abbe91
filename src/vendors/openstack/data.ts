import type { DeclaredStore, DocumentChange } from '../data.ts';
import { storeNameIn } from '../shared/store-names.ts';
import type { PlannedChange } from '../vendor.ts';
import type { OpenStackDocument } from './document.ts';
import { databaseTypes, holdsData } from './layout/impact.ts';
import { preview } from './preview.ts';

export const storesOf = ({ template }: OpenStackDocument): DeclaredStore[] =>
  Object.entries(template.resources)
    .filter(([, resource]) => holdsData(resource))
    .map(([resource, { type }]) => ({
      resource,
      resourceType: type,
      kind: databaseTypes.has(type) ? 'database' : 'cache',
      name: storeNameIn(resource, /^(?:Database|Redis)/),
    }));

export function replacedStores({ before, after }: DocumentChange<OpenStackDocument>): string[] {
  const stores = new Set(storesOf(before).map(({ resource }) => resource));
  if (stores.size === 0) return [];
  return preview(before, after)
    .filter((change) => stores.has(change.resource) && isEmptied(change))
    .map(({ resource }) => resource);
}

/** A server with another image stays the same server, with an empty disk. */
const isEmptied = ({ action, members }: PlannedChange): boolean =>
  action === 'replace' || (action === 'change' && members.includes('image'));
