/** What holds something nobody can bring back once it is gone. */
const keepsSomething: Readonly<Record<string, string>> = {
  'AWS::RDS::DBInstance': 'Its data is lost; take a backup first.',
  'AWS::ElastiCache::ReplicationGroup': 'What it has cached is lost.',
  'AWS::ElastiCache::CacheCluster': 'What it has cached is lost.',
  'AWS::EC2::Instance': 'What is only on its disk is lost.',
  'AWS::AutoScaling::AutoScalingGroup': 'What is only on the disks of its instances is lost.',
  'AWS::ElasticLoadBalancingV2::LoadBalancer':
    'Its address is lost; whatever names it must be pointed elsewhere.',
  'AWS::EC2::KeyPair': 'Its private key opens nothing any more; fetch the new one.',
};

const afterwards: Readonly<Record<string, string>> = {
  Snapshot: 'A last snapshot of it stays in the account, and costs.',
  Retain: 'It stays in the account, outside the stack, and costs on.',
};

/** What is lost when a resource is removed or replaced, in a sentence; empty when nothing is. */
export function lossOf(type: string, logicalId: string, policy: string | undefined): string {
  // A replica holds nothing that its primary does not.
  if (logicalId.startsWith('DatabaseReplica')) return '';
  const loss = keepsSomething[type];
  return loss === undefined ? '' : (afterwards[policy ?? ''] ?? loss);
}

/**
 * Members AWS replaces a resource for only in cases that are none of ours: our servers have their disk on the network
 * and stand in a network of their own, and our databases are neither moved nor restored by an update.
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

/** What a change in place interrupts, in a sentence; empty when nothing is. AWS starts a server anew with these. */
export const interruptionOf = (type: string, members: readonly string[]): string =>
  type === 'AWS::EC2::Instance' && members.some((member) => /^(UserData|InstanceType)\b/.test(member))
    ? 'The server is stopped and started again; a public address it was given changes.'
    : '';

/** Where AWS says that a change of the member may replace the resource: whether it does for us. */
export const mayReplace = (type: string, member: string): boolean => !changedInPlace[type]?.includes(member);
