import { isDeepStrictEqual } from 'node:util';
import type { DeclaredStore, DocumentChange, Keeping } from '../data.ts';
import { fromSnapshot, isKeepable, storeIn } from './data-stores.ts';
import type { AwsDocument, Template } from './document.ts';
import { snapshotPrefix } from './names.ts';
import { preview } from './preview.ts';

export const storesOf = ({ template }: AwsDocument): DeclaredStore[] =>
  Object.entries(template.Resources).flatMap(([id, resource]) => storeIn(id, resource));

/** How to find the data that CloudFormation keeps of a store. */
const places: Readonly<Record<string, (stackId: string, resource: string, id: string) => string>> = {
  'AWS::RDS::DBInstance': (stackId, resource) =>
    `AWS takes a final snapshot whose name starts with ${snapshotPrefix(stackId, resource)}: find it in RDS under Snapshots.`,
  'AWS::ElastiCache::ReplicationGroup': (stackId, resource) =>
    `AWS takes a final snapshot whose name starts with ${snapshotPrefix(stackId, resource)}: find it in ElastiCache under Backups.`,
  'AWS::EC2::Volume': (_stackId, _resource, id) =>
    `AWS takes a snapshot of volume ${id}: find it in EC2 under Snapshots.`,
};

export function keptAs({ stackId, store, document }: Keeping<AwsDocument>): string {
  const resource = document?.template.Resources[store.resource];
  if (resource && !isKeepable(resource)) return '';
  return places[store.resourceType]?.(stackId, store.resource, store.id) ?? '';
}

/** The same resources, made from snapshots. The choices keep the snapshots for later versions. */
export const restore = (
  { template, choices, ...rest }: AwsDocument,
  references: ReadonlyMap<string, string>,
): AwsDocument => ({
  ...rest,
  template: {
    ...template,
    Resources: Object.fromEntries(
      Object.entries(template.Resources).map(([id, resource]) => [
        id,
        fromSnapshot(resource, references.get(id)),
      ]),
    ),
  },
  choices: { ...choices, restored: { ...choices.restored, ...Object.fromEntries(references) } },
});

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
