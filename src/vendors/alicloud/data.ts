import type { StoreKind } from '../../model/data-choice.ts';
import type { DeclaredStore, DocumentChange, Keeping } from '../data.ts';
import { storeNameIn } from '../shared/store-names.ts';
import { databaseEngines } from './catalog.ts';
import type { AlicloudDocument, ResourceType, Template } from './document.ts';
import { losesDisks } from './layout/impact.ts';
import * as names from './names.ts';
import { replacements } from './preview.ts';

/** Replicas and Memcached hold only copies, and members of groups have no data of their own. */
const kinds: Readonly<Partial<Record<ResourceType, StoreKind>>> = {
  'ALIYUN::RDS::DBInstance': 'database',
  'ALIYUN::REDIS::Instance': 'cache',
  'ALIYUN::ECS::InstanceGroup': 'disk',
};

const prefix = new RegExp(`^(?:${[names.database(''), names.redis(''), names.instances('')].join('|')})`);
const suffixOf = (resource: string): string => resource.replace(prefix, '');

/** The stores of one resource. Servers with files have two: the disk, and the files on it. */
export function storesOfResource(
  resource: string,
  resourceType: string,
  outputs: { has(name: string): boolean },
): DeclaredStore[] {
  const kind = kinds[resourceType as ResourceType];
  if (kind === undefined) return [];
  const store = { resource, resourceType, kind, name: storeNameIn(resource, prefix) };
  const hasFiles = kind === 'disk' && outputs.has(`${names.filesOutput('')}${suffixOf(resource)}`);
  return hasFiles ? [store, { ...store, kind: 'files' }] : [store];
}

export function storesIn({ Resources, Outputs }: Pick<Template, 'Resources' | 'Outputs'>): DeclaredStore[] {
  const outputs = new Set(Object.keys(Outputs));
  return Object.entries(Resources).flatMap(([name, { Type }]) => storesOfResource(name, Type, outputs));
}

export const storesOf = ({ template }: AlicloudDocument): DeclaredStore[] => storesIn(template);

/** Resources in both templates whose stores an update replaces by empty ones, or some of them. */
export function replacedIn(before: Template, after: Template): string[] {
  const replaced = new Set(replacements(before, after));
  const isLost = (name: string): boolean => {
    const change = { before: before.Resources[name], after: after.Resources[name] };
    if (!change.before || !change.after) return false;
    return replaced.has(name) || losesDisks({ before: change.before, after: change.after });
  };
  return [...new Set(storesIn(before).map(({ resource }) => resource))].filter(isLost);
}

export const replacedStores = ({ before, after }: DocumentChange<AlicloudDocument>): string[] =>
  replacedIn(before.template, after.template);

const keptDatabase =
  'RDS makes a last backup, and keeps it after the instance is released. Find it in the RDS console under Backups, Backups for Deleted Instances. ' +
  'It is free for 7 days, and billed after that until you delete it.';
const keptFiles =
  'ECS makes a snapshot of the disk of each server. Find it in the ECS console under Snapshots, by the tag almanac:stack. It is billed until you delete it.';

/** RDS keeps backups of released MySQL instances only. Nothing of a released Redis instance stays. */
export function keptAs({ store, document }: Keeping<AlicloudDocument>): string {
  if (store.kind === 'files') return keptFiles;
  const engine = document?.template.Resources[store.resource]?.Properties['Engine'];
  return store.kind === 'database' && engine === databaseEngines.mysql.name ? keptDatabase : '';
}
