import { named, passRole, type Right, readTemplate, right } from './rights.ts';

/** Methods of clients by the IAM prefix of their service, each with the permissions it needs. */
type Calls = Readonly<Record<string, Readonly<Record<string, readonly Right[]>>>>;

/**
 * Every call of AWS that the driver makes. `Clients` has only these methods, and refuses any other at run time: a new call
 * needs a new row. The policies of keys are made from this table: run `npm run docs` after a change.
 */
export const calls = {
  acm: {
    listCertificates: [right('https', 'everything', 'finds the certificate of a domain')],
  },
  autoscaling: {
    deleteLifecycleHook: [right('stacks', 'ownResources', 'removes the hook, which would delay a deletion')],
    describeAutoScalingGroups: [right('stacks', 'everything', 'finds the members of groups')],
    describeLifecycleHooks: [
      right('lifecycle-hooks', 'everything', 'reads the hook'),
      right('restarts', 'everything', 'reads how long the hook delays a restart'),
    ],
    putLifecycleHook: [right('lifecycle-hooks', 'ownResources', 'sets the hook')],
    setInstanceProtection: [
      right('stacks', 'ownResources', 'clears protection, which would block a deletion'),
    ],
    terminateInstanceInAutoScalingGroup: [
      right('restarts', 'ownResources', 'replaces a group member'),
      right('spot-notices', 'ownResources', 'replaces a spot instance'),
    ],
  },
  cloudformation: {
    cancelUpdateStack: [right('stacks', 'ownStacks', 'stops an update before it removes anything')],
    continueUpdateRollback: [right('stacks', 'ownStacks', 'retries a failed rollback'), passRole],
    createChangeSet: [right('previews', 'ownStacks', 'starts a preview'), passRole, readTemplate],
    createStack: [right('stacks', 'ownStacks', 'creates a stack'), passRole, readTemplate],
    deleteChangeSet: [right('previews', 'ownStacks', 'deletes the change set of a preview')],
    deleteStack: [right('stacks', 'ownStacks', 'deletes a stack'), passRole],
    describeChangeSet: [right('previews', 'ownStacks', 'reads the changes')],
    describeStackDriftDetectionStatus: [right('drift', 'everything', 'reads the progress of a check')],
    describeStackEvents: [right('stacks', 'ownStacks', 'reads why a stack failed')],
    describeStackResourceDrifts: [right('drift', 'ownStacks', 'reads the result of a check')],
    describeStacks: [
      right('stacks', 'everything', 'reads the states of all stacks in one call'),
      // Without a stack name, AWS asks for a second permission.
      named('cloudformation:ListStacks', right('stacks', 'everything', 'reads the states of all stacks')),
    ],
    // CloudFormation also reads each resource with the permissions of the key: see resource-types.ts.
    detectStackDrift: [
      right('drift', 'ownStacks', 'starts a check'),
      named('cloudformation:DetectStackResourceDrift', right('drift', 'ownStacks', 'checks each resource')),
      named(
        'cloudformation:BatchDescribeTypeConfigurations',
        right('drift', 'everything', 'reads how resource types are configured'),
      ),
    ],
    getTemplate: [right('stacks', 'ownStacks', 'reads what a deletion or an update keeps')],
    listStackResources: [
      right('stacks', 'ownStacks', 'finds terminated servers, and data that a failed deletion left'),
    ],
    updateStack: [right('stacks', 'ownStacks', 'updates a stack'), passRole, readTemplate],
  },
  ec2: {
    describeAvailabilityZones: [right('stacks', 'everything', 'chooses zones')],
    describeImages: [right('stacks', 'everything', 'checks machine images')],
    describeInstanceTypeOfferings: [right('stacks', 'everything', 'checks that a zone offers a type')],
    describeInstanceTypes: [right('stacks', 'everything', 'finds the architecture of a type')],
    describeRegions: [right('offers', 'everything', 'checks that a region is enabled')],
    describeInstances: [right('stacks', 'everything', 'lists the servers of stacks')],
    describeSnapshots: [right('kept-data', 'everything', 'finds snapshots of volumes with files')],
    describeVolumes: [right('stacks', 'everything', 'lists the volumes of servers')],
    getConsoleOutput: [
      right('install-logs', 'ownResources', 'reads the end of the install log from the console'),
    ],
    modifyVolume: [right('stacks', 'ownResources', 'grows the disk of a server')],
    rebootInstances: [right('restarts', 'ownResources', 'reboots a server outside a group')],
  },
  elasticache: {
    describeCacheEngineVersions: [right('offers', 'everything', 'chooses the version of a cache')],
    describeCacheClusters: [right('caches', 'everything', 'lists the nodes of Memcached')],
    describeReservedCacheNodesOfferings: [right('offers', 'everything', 'checks node types')],
    describeReplicationGroups: [right('caches', 'everything', 'lists the nodes of Redis')],
    describeSnapshots: [right('kept-data', 'everything', 'finds final snapshots of caches')],
  },
  elasticloadbalancing: {
    deregisterTargets: [right('spot-notices', 'ownResources', 'drains a spot instance at once')],
  },
  rds: {
    describeDBEngineVersions: [right('offers', 'everything', 'chooses the version of a database')],
    describeOrderableDBInstanceOptions: [right('offers', 'everything', 'checks database classes')],
    describeDBInstances: [right('databases', 'everything', 'lists databases')],
    describeDBSnapshots: [right('kept-data', 'everything', 'finds final snapshots of databases')],
  },
  s3: {
    createBucket: [right('large-templates', 'templateBucket', 'creates the bucket of templates')],
    putBucketLifecycleConfiguration: [
      named(
        's3:PutLifecycleConfiguration',
        right('large-templates', 'templateBucket', 'lets templates expire'),
      ),
    ],
    putObject: [right('large-templates', 'templateBucket', 'uploads a template')],
    putPublicAccessBlock: [
      named(
        's3:PutBucketPublicAccessBlock',
        right('large-templates', 'templateBucket', 'blocks public access to templates'),
      ),
    ],
  },
  secretsmanager: {
    getSecretValue: [right('databases', 'ownResources', 'reads the password of a database for containers')],
  },
  sqs: {
    deleteMessage: [right('events', 'eventQueues', 'deletes an event after it was handled')],
    receiveMessage: [right('events', 'eventQueues', 'waits for events about stacks')],
  },
  ssm: {
    deleteParameter: [right('stacks', 'agentTokens', 'deletes the token of the agents of a stack')],
    getParameter: [
      right('stacks', 'publicImages', 'finds the newest machine image'),
      right('private-keys', 'privateKeys', 'reads the private key of a layer'),
    ],
    putParameter: [right('stacks', 'agentTokens', 'stores the token of the agents of a stack')],
  },
  sts: {
    // AWS asks for no permission.
    getCallerIdentity: [],
  },
} satisfies Calls;

export type Service = keyof typeof calls;

const table: Calls = calls;

/** `describeStacks` → `DescribeStacks`. */
const operationOf = (method: string): string => method.charAt(0).toUpperCase() + method.slice(1);

/** A permission with its IAM action. */
export type ListedRight = Right & { action: string };

/** The permissions that a call needs; undefined if the table has no row for it. */
export const rightsOf = (service: string, method: string): readonly ListedRight[] | undefined =>
  table[service]?.[method]?.map((needed) => ({ action: `${service}:${operationOf(method)}`, ...needed }));

/** The permissions of all calls. */
export const listedRights = (): readonly ListedRight[] =>
  Object.entries(table).flatMap(([service, methods]) =>
    Object.keys(methods).flatMap((method) => rightsOf(service, method) ?? []),
  );
