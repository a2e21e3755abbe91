/** What a call is for, and what its permission can be limited to. */
export interface Right {
  purpose: string;
  scope: Scope;
}

/** `ownSecrets`: secrets of Almanac stacks in OOS. RAM knows stacks by their ids only, so others cannot be limited. */
export type Scope = 'everything' | 'ownSecrets';

const right = (purpose: string): Right => ({ purpose, scope: 'everything' });
const secret = (purpose: string): Right => ({ purpose, scope: 'ownSecrets' });

/**
 * Every call of Alibaba Cloud that the driver makes. `Clients` accepts only these: a new call needs a new row. The policy of a key
 * is made from this table: run `npm run docs` after a change.
 */
export const calls = {
  ros: {
    CancelUpdateStack: right('stops an update before it removes anything'),
    CreateStack: right('creates a stack'),
    DeleteStack: right('deletes a stack'),
    DetectStackDrift: right('starts a drift check'),
    GetStack: right('reads the outputs and the version of a stack'),
    GetStackDriftDetectionStatus: right('reads the progress of a drift check'),
    GetStackResource: right('reads the private key of a layer'),
    GetTemplate: right('finds what an update replaces'),
    ListStackEvents: right('reads the events of a stack, and why it failed'),
    ListStackResourceDrifts: right('reads the result of a drift check'),
    ListStackResources: right('finds data that an update or a deletion would remove'),
    ListStacks: right('reads the states of all stacks'),
    PreviewStack: right('reads the changes that an update would make'),
    TagResources: right('notes the version of an update'),
    UpdateStack: right('updates a stack'),
  },
  ecs: {
    CreateSnapshot: right('keeps the files of a server that is removed'),
    DescribeAvailableResource: right('checks that a zone sells a type'),
    DescribeDisks: right('finds the disk that files are on'),
    DescribeImageFromFamily: right('finds the newest image'),
    DescribeImages: right('checks images'),
    DescribeInstances: right('lists the servers of stacks'),
    DescribeSnapshots: right('finds the files that are kept'),
    DescribeInstanceTypes: right('finds the size and architecture of a type'),
    DescribeZones: right('chooses zones'),
    RebootInstance: right('reboots a server outside a group'),
  },
  ess: {
    CreateLifecycleHook: right('sets the lifecycle hook'),
    DeleteLifecycleHook: right('removes the hook, which would delay a deletion'),
    DescribeLifecycleHooks: right('reads the hook'),
    DescribeScalingGroups: right('finds the load balancers of a group'),
    DescribeScalingInstances: right('finds members of groups that are being removed'),
    ModifyLifecycleHook: right('changes the hook'),
    SetInstanceHealth: right('replaces a member of a group'),
    SetInstancesProtection: right('clears protection, which would block a deletion or a restart'),
  },
  slb: {
    DescribeServerCertificates: right('finds the certificate of a domain'),
    RemoveBackendServers: right('stops the requests to a spot server that is being reclaimed'),
  },
  rds: {
    CreateBackup: right('keeps the data of a database that is removed'),
    DescribeBackupPolicy: right('checks that RDS keeps the last backup of a removed database'),
    DescribeBackups: right('waits for the last backup'),
    DescribeDBInstanceAttribute: right('reads the size and port of a database'),
    DescribeDBInstances: right('lists databases'),
    DescribeDetachedBackups: right('finds the backups of removed databases'),
    ModifyBackupPolicy: right('lets RDS keep the last backup, or delete it'),
  },
  'r-kvstore': {
    DescribeInstances: right('lists caches'),
  },
  oos: {
    CreateSecretParameter: secret('stores the token of the agents and the password of the databases'),
    DeleteSecretParameter: secret('deletes them with the stack'),
    UpdateSecretParameter: secret('replaces them'),
  },
  sts: {
    GetCallerIdentity: right('checks the key, without a permission'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Right>>>>;

export type Service = keyof typeof calls;
export type ActionOf<S extends Service> = keyof (typeof calls)[S] & string;

/** Actions that take no region: the thing they name is enough. */
export const withoutRegion: ReadonlySet<string> = new Set([
  'CreateLifecycleHook',
  'CreateBackup',
  'DescribeBackupPolicy',
  'DescribeBackups',
  'DescribeDBInstanceAttribute',
  'DescribeDetachedBackups',
  'DescribeInstanceTypes',
  'GetCallerIdentity',
  'ModifyBackupPolicy',
  'RebootInstance',
  'SetInstanceHealth',
  'SetInstancesProtection',
]);

export const apiVersions: Readonly<Record<Service, string>> = {
  ros: '2019-09-10',
  ecs: '2014-05-26',
  ess: '2014-08-28',
  slb: '2014-05-15',
  rds: '2014-08-15',
  'r-kvstore': '2015-01-01',
  oos: '2019-06-01',
  sts: '2015-04-01',
};
