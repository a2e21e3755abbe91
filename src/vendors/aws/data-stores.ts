import type { TemplateResource } from './document.ts';

/** Resources whose data cannot be made again. Replicas and Memcached hold only copies. */
export const holdsData = ({ Type, Properties = {} }: TemplateResource): boolean =>
  (Type === 'AWS::RDS::DBInstance' && Properties['SourceDBInstanceIdentifier'] === undefined) ||
  Type === 'AWS::ElastiCache::ReplicationGroup';

/** Redis on the oldest node type has no backups. */
const withoutSnapshots = 'cache.t1.micro';
export const takesSnapshots = (cacheNodeType: string): boolean => cacheNodeType !== withoutSnapshots;

/** Whether AWS can keep the data of a resource as a snapshot. */
export const isKeepable = ({ Properties = {} }: TemplateResource): boolean =>
  Properties['CacheNodeType'] !== withoutSnapshots;
