import type { DeclaredStore, DocumentChange, Keeping } from '../data.ts';
import type { PlannedChange } from '../vendor.ts';
import type { OpenStackDocument } from './document.ts';
import { serverType, storeIn, volumeType, withoutServersOf } from './layout/stores.ts';
import { databaseName } from './names.ts';
import { preview } from './preview.ts';

export const storesOf = ({ template }: Pick<OpenStackDocument, 'template'>): DeclaredStore[] =>
  withoutServersOf(
    Object.entries(template.resources).flatMap(([name, { type }]) => storeIn(name, type) ?? []),
  );

export function replacedStores({ before, after }: DocumentChange<OpenStackDocument>): string[] {
  const stores = new Set(storesOf(before).map(({ resource }) => resource));
  if (stores.size === 0) return [];
  return preview(before, after)
    .filter((change) => stores.has(change.resource) && isEmptied(change))
    .map(({ resource }) => resource);
}

/** A server with another image stays the same server, with an empty disk. */
const isEmptied = ({ action, resourceType, members }: PlannedChange): boolean =>
  action === 'replace' || (action === 'change' && resourceType === serverType && members.includes('image'));

/** The data on the disk of a server, also that of a Redis cache of an earlier release, goes with the server. */
export function keptAs({ stackId, store, document }: Keeping<OpenStackDocument>): string {
  if (store.resourceType === volumeType)
    return `Its Cinder volume ${store.id} stays, in state "available"; "alm data list" shows it.`;
  if (store.resourceType !== 'OS::Trove::Instance' || !document?.choices.hasBackups) return '';
  const name = databaseName(stackId, store.resource.replace(/^Database/, ''));
  return `Almanac makes a Trove backup with a name that starts with ${name}, and deletes the database when it is complete; "alm data list" shows it.`;
}
