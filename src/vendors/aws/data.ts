import { isDeepStrictEqual } from 'node:util';
import type { DocumentChange, RemovedData } from '../data.ts';
import { holdsData, isKeepable } from './data-stores.ts';
import type { AwsDocument, Template, TemplateResource } from './document.ts';
import { cloudStackName } from './names.ts';
import { preview } from './preview.ts';

export async function removedData({
  stackId,
  before,
  after,
}: DocumentChange<AwsDocument>): Promise<RemovedData[]> {
  const stores = Object.entries(before.template.Resources).filter(([, resource]) => holdsData(resource));
  const actions = after
    ? await actionsOn(
        stores.map(([id]) => id),
        { before, after },
      )
    : undefined;
  return stores.flatMap(([resource, store]) => {
    const action = after ? actions?.get(resource) : 'remove';
    if (action !== 'remove' && action !== 'replace') return [];
    const isKept =
      after === null
        ? isKeepable(store)
        : hasSnapshotPolicy(action, store, after.template.Resources[resource]);
    return [
      {
        action,
        resource,
        resourceType: store.Type,
        keptAs: isKept ? snapshotText(stackId, resource, store) : '',
      },
    ];
  });
}

/** CloudFormation reads the policy of a removed resource in the old template, and that of a replaced one in the new. */
const hasSnapshotPolicy = (
  action: RemovedData['action'],
  before: TemplateResource,
  after: TemplateResource | undefined,
): boolean => (action === 'remove' ? before.DeletionPolicy : after?.UpdateReplacePolicy) === 'Snapshot';

const consoles: Readonly<Record<string, string>> = {
  'AWS::RDS::DBInstance': 'RDS under Snapshots',
  'AWS::ElastiCache::ReplicationGroup': 'ElastiCache under Backups',
};

const snapshotText = (stackId: string, resource: string, { Type }: TemplateResource): string =>
  `AWS takes a final snapshot whose name starts with ${snapshotPrefix(stackId, resource)}: find it in ${consoles[Type]}.`;

/** CloudFormation appends a random part. */
const snapshotPrefix = (stackId: string, resource: string): string =>
  `${cloudStackName(stackId)}-snapshot-${resource}-`.toLowerCase().replaceAll(/-+/g, '-');

interface Documents {
  before: AwsDocument;
  after: AwsDocument;
}

/** Compares the whole templates only if something that a store depends on has changed: that takes a second at first. */
async function actionsOn(
  stores: readonly string[],
  { before, after }: Documents,
): Promise<Map<string, string>> {
  const isUnchanged = [...referredFrom(stores, before.template)].every((id) =>
    isDeepStrictEqual(before.template.Resources[id]?.Properties, after.template.Resources[id]?.Properties),
  );
  if (isUnchanged) return new Map();
  return new Map((await preview(before, after)).map(({ resource, action }) => [resource, action]));
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
