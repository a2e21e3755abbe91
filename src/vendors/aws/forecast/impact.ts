/** What is lost with a resource besides data: the fates of the stores describe that. */
const lossWarnings: Readonly<Record<string, string>> = {
  'AWS::AutoScaling::AutoScalingGroup': 'Its members are replaced, with everything on their disks.',
  'AWS::ElasticLoadBalancingV2::LoadBalancer':
    'Its address is lost. Update everything that refers to the address.',
  'AWS::EC2::KeyPair': 'Its private key becomes invalid.',
};

/** Describes what is lost when a resource is removed or replaced; empty if nothing is. */
export const lossWarning = (type: string): string => lossWarnings[type] ?? '';

/**
 * Members for which AWS replaces a resource only in cases that Almanac does not create: its servers boot from EBS and run
 * in a VPC, its updates do not move databases, and its groups have no policy that replaces them.
 */
const changedInPlace: Readonly<Record<string, readonly string[]>> = {
  'AWS::AutoScaling::AutoScalingGroup': ['LaunchTemplate', 'MixedInstancesPolicy', 'VPCZoneIdentifier'],
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
