import { isDeepStrictEqual } from 'node:util';
import type { DeclaredStore, DocumentChange, Keeping } from '../data.ts';
import { storeNameIn } from '../shared/store-names.ts';
import { holdsData, isKeepable } from './data-stores.ts';
import type { AwsDocument, Template } from './document.ts';
import { cloudStackName } from './names.ts';
import { preview } from './preview.ts';

export const storesOf = ({ template }: AwsDocument): DeclaredStore[] =>
  Object.entries(template.Resources)
    .filter(([, resource]) => holdsData(resource))
    .map(([resource, { Type }]) => ({
      resource,
      resourceType: Type,
      kind: Type === 'AWS::RDS::DBInstance' ? 'database' : 'cache',
      name: storeNameIn(resource, /^(?:Database|Cache)/),
    }));

const consoles: Readonly<Record<string, string>> = {
  'AWS::RDS::DBInstance': 'RDS under Snapshots',
  'AWS::ElastiCache::ReplicationGroup': 'ElastiCache under Backups',
};

export function keptAs({ stackId, store, document }: Keeping<AwsDocument>): string {
  const place = consoles[store.resourceType];
  const resource = document?.template.Resources[store.resource];
  if (place === undefined || (resource && !isKeepable(resource))) return '';
  return `AWS takes a final snapshot whose name starts with ${snapshotPrefix(stackId, store.resource)}: find it in ${place}.`;
}

/** CloudFormation appends a random part. */
const snapshotPrefix = (stackId: string, resource: string): string =>
  `${cloudStackName(stackId)}-snapshot-${resource}-`.toLowerCase().replaceAll(/-+/g, '-');

/** Compares the whole templates only if something that a store depends on has changed: that takes a second at first. */
export async function replacedStores({ before, after }: DocumentChange<AwsDocument>): Promise<string[]> {
  const stores = storesOf(before).map(({ resource }) => resource);
  const isUnchanged = [...referredFrom(stores, before.template)].every((id) =>
    isDeepStrictEqual(before.template.Resources[id]?.Properties, after.template.Resources[id]?.Properties),
  );
  if (isUnchanged) return [];
  return (await preview(before, after))
    .filter(({ resource, action }) => action === 'replace' && stores.includes(resource))
    .map(({ resource }) => resource);
}

/** The resources, and all to which they refer directly or indirectly. */
function referredFrom(ids: readonly string[], { Resources }: Template): Set<string> {
  const found = new Set<string>();
  const add = (id: string): void => {
    const resource = Resources[id];
    if (!resource || found.has(id)) return;
    found.add(id);
    for (const reference of referencesIn(resource.Properties)) add(reference);
  };
  for (const id of ids) add(id);
  return found;
}

/** Every word that could be a logical id: one too many only makes the comparison more thorough. */
const referencesIn = (value: unknown): string[] => JSON.stringify(value ?? null).match(/\w+/g) ?? [];
