import type { StoreKind } from '../../model/data-choice.ts';
import type { DeclaredStore } from '../data.ts';
import { storeNameIn } from '../shared/store-names.ts';
import type { Properties, TemplateResource } from './document.ts';

const kinds: Readonly<Record<string, StoreKind>> = {
  'AWS::RDS::DBInstance': 'database',
  'AWS::ElastiCache::ReplicationGroup': 'cache',
  'AWS::EC2::Volume': 'files',
  // Members of groups are not resources of a template.
  'AWS::EC2::Instance': 'disk',
};

/** Replicas and Memcached hold only copies. */
const kindOf = ({ Type, Properties = {} }: TemplateResource): StoreKind | undefined =>
  Properties['SourceDBInstanceIdentifier'] === undefined ? kinds[Type] : undefined;

/** Resources whose data cannot be made again, except the disks of servers. */
export function holdsData(resource: TemplateResource): boolean {
  const kind = kindOf(resource);
  return kind !== undefined && kind !== 'disk';
}

const prefixes = /^(?:Database|(?:Redis|Memcached)?Cache|Instance\d+Of|Files[a-z0-9]*?\d+Of)/;

/** The store of a resource type, by its logical id. */
export const storeAt = (resource: string, resourceType: string, kind: StoreKind): DeclaredStore => ({
  resource,
  resourceType,
  kind,
  name: storeNameIn(resource, prefixes),
});

export function storeIn(id: string, resource: TemplateResource): DeclaredStore[] {
  const kind = kindOf(resource);
  return kind === undefined ? [] : [storeAt(id, resource.Type, kind)];
}

/** Redis on the oldest node type has no backups. */
const withoutSnapshots = 'cache.t1.micro';
export const takesSnapshots = (cacheNodeType: string): boolean => cacheNodeType !== withoutSnapshots;

/** Whether AWS can keep the data of a resource as a snapshot. */
export const isKeepable = ({ Properties = {} }: TemplateResource): boolean =>
  Properties['CacheNodeType'] !== withoutSnapshots;

/** What the snapshot of a database contains; AWS rejects these members with one. */
const inDatabaseSnapshot = new Set(['DBName', 'MasterUsername', 'StorageEncrypted']);

const withSnapshot: Readonly<Record<string, (properties: Properties, snapshot: string) => Properties>> = {
  'AWS::RDS::DBInstance': (properties, DBSnapshotIdentifier) => ({
    ...Object.fromEntries(Object.entries(properties).filter(([member]) => !inDatabaseSnapshot.has(member))),
    DBSnapshotIdentifier,
  }),
  'AWS::ElastiCache::ReplicationGroup': (properties, SnapshotName) => ({ ...properties, SnapshotName }),
  'AWS::EC2::Volume': (properties, SnapshotId) => ({ ...properties, SnapshotId }),
};

/** The same resource, made from a snapshot. AWS keeps its data as long as the template names that snapshot. */
export function fromSnapshot<R extends TemplateResource>(resource: R, snapshot: string | undefined): R {
  const change = withSnapshot[resource.Type];
  if (snapshot === undefined || !change) return resource;
  return { ...resource, Properties: change(resource.Properties ?? {}, snapshot) };
}
