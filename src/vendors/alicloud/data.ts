import type { DeclaredStore, DocumentChange } from '../data.ts';
import { storeNameIn } from '../shared/store-names.ts';
import type { AlicloudDocument } from './document.ts';
import { holdsData } from './layout/impact.ts';
import { preview } from './preview.ts';

export const storesOf = ({ template }: AlicloudDocument): DeclaredStore[] =>
  Object.entries(template.Resources)
    .filter(([, resource]) => holdsData(resource))
    .map(([resource, { Type }]) => ({
      resource,
      resourceType: Type,
      kind: Type === 'ALIYUN::RDS::DBInstance' ? 'database' : 'cache',
      name: storeNameIn(resource, /^(?:Database|Cache)/),
    }));

export function replacedStores({ before, after }: DocumentChange<AlicloudDocument>): string[] {
  const stores = new Set(storesOf(before).map(({ resource }) => resource));
  if (stores.size === 0) return [];
  return preview(before, after)
    .filter(({ action, resource }) => action === 'replace' && stores.has(resource))
    .map(({ resource }) => resource);
}
