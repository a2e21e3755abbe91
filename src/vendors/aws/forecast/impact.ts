import { losses } from '../../shared/losses.ts';

/** Resources whose content cannot be recovered once they are deleted. */
const lossWarnings: Readonly<Record<string, string>> = {
  'AWS::RDS::DBInstance': losses.database,
  'AWS::ElastiCache::ReplicationGroup': losses.cache,
  'AWS::ElastiCache::CacheCluster': losses.cache,
  'AWS::EC2::Instance': losses.disk,
  'AWS::AutoScaling::AutoScalingGroup': 'Data that is only on the disks of its instances is lost.',
  'AWS::ElasticLoadBalancingV2::LoadBalancer':
    'Its address is lost. Update everything that refers to the address.',
  'AWS::EC2::KeyPair': 'Its private key becomes invalid. Fetch the new one.',
};

const policyWarnings: Readonly<Record<string, string>> = {
  Snapshot: 'A final snapshot stays in the account and is billed.',
  Retain: 'The resource stays in the account, outside the stack, and is still billed.',
};

/** Describes what is lost when a resource is removed or replaced; empty if nothing is. */
export function lossWarning(type: string, logicalId: string, policy: string | undefined): string {
  // A replica contains only copies of data.
  if (logicalId.startsWith('DatabaseReplica')) return '';
  const loss = lossWarnings[type];
  return loss === undefined ? '' : (policyWarnings[policy ?? ''] ?? loss);
}

/**
 * Members for which AWS replaces a resource only in cases that Almanac does not create: its servers boot from EBS and run
 * in a VPC, and its updates neither move nor restore databases.
 */
const changedInPlace: Readonly<Record<string, readonly string[]>> = {
  'AWS::EC2::Instance': ['InstanceType', 'UserData', 'SecurityGroupIds', 'EbsOptimized'],
  'AWS::RDS::DBInstance': [
    'AutoMinorVersionUpgrade',
    'BackupRetentionPeriod',
    'DBParameterGroupName',
    'MultiAZ',
    'PreferredMaintenanceWindow',
    'StorageType',
  ],
  'AWS::ElastiCache::CacheCluster': ['NumCacheNodes'],
};

/** Describes what an in-place change interrupts; empty if nothing is. AWS restarts a server for these members. */
export const interruptionWarning = (type: string, members: readonly string[]): string =>
  type === 'AWS::EC2::Instance' && members.some((member) => /^(UserData|InstanceType)\b/.test(member))
    ? 'The server is stopped and started. An automatically assigned public address changes.'
    : '';

/** Whether a change of this member replaces the resource, given that AWS says it may. */
export const mayReplace = (type: string, member: string): boolean => !changedInPlace[type]?.includes(member);
