import type { Clock } from '../../../src/basics/clock.ts';
import { assertListed, type Clients } from '../../../src/vendors/aws/clients.ts';
import { makeRegion, type Region } from '../../../src/vendors/aws/region.ts';
import { awsError, type CannedGroup, cannedAutoScaling, type Operation } from './canned-groups.ts';
import { type CannedOffers, cannedElastiCache, cannedRds, cannedRegions, noOffers } from './canned-offers.ts';

/**
 * Fake of the parts of AWS that simulators do not reproduce: group members in `Terminating:Wait`, drift, change sets with
 * replacements, rejections. Tests inspect its state. It proves nothing about AWS itself.
 */
export interface CannedWorld extends CannedOffers {
  stacks: Record<string, unknown>[];
  /** Resources as CloudFormation lists them, and the versions that updates were sent for. */
  resources: object[];
  updates: string[];
  instances: { id: string; tags: Record<string, string>; state: string; reboots: number }[];
  groups: CannedGroup[];
  /** The instances behind each target group. */
  targets: Record<string, string[]>;
  parameters: Record<string, string>;
  secrets: Record<string, string>;
  zones: string[];
  types: Record<string, { runs: string[]; zones: string[] }>;
  images: { ImageId: string; Architecture: string; RootDeviceName: string }[];
  certificates: { CertificateArn: string; DomainName: string; NotAfter: Date }[];
  buckets: Record<string, { objects: Record<string, string>; closed: boolean; expireAfterDays: number }>;
  /** The content of the next change set, and the names of existing ones. */
  forecast: { Status: string; StatusReason?: string; Changes?: unknown[]; pollsUntilMade: number };
  changeSets: string[];
  /** The state and the result of the drift check. */
  driftCheck: { DetectionStatus: string; DetectionStatusReason?: string };
  drifted: unknown[];
  /** Events of the last operation, newest first, and what instances wrote to their consoles. */
  events: object[];
  consoles: Record<string, string>;
  /** Operations that fail, and their errors. */
  refusals: Record<string, Error>;
  /** Operations that never answer. */
  silent: string[];
  /** Every operation called, to check that there are no unnecessary calls. */
  calls: string[];
}

export const cannedWorld = (parts: Partial<CannedWorld> = {}): CannedWorld => ({
  stacks: [],
  resources: [],
  updates: [],
  instances: [],
  groups: [],
  targets: {},
  parameters: {},
  secrets: {},
  zones: [],
  types: {},
  images: [],
  ...noOffers(),
  certificates: [],
  buckets: {},
  forecast: { Status: 'CREATE_COMPLETE', pollsUntilMade: 0 },
  changeSets: [],
  driftCheck: { DetectionStatus: 'DETECTION_COMPLETE' },
  drifted: [],
  events: [],
  consoles: {},
  refusals: {},
  silent: [],
  calls: [],
  ...parts,
});

/** An Almanac stack as CloudFormation describes it. */
export const cannedStack = (id: string, outputs: Record<string, string>, more: object = {}) => ({
  StackId: `arn:${id}`,
  StackName: `alm-${id}`,
  StackStatus: 'CREATE_COMPLETE',
  Tags: [{ Key: 'almanac:stack', Value: id }],
  Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  ...more,
});

/** Timers fire as soon as nothing else is left to do, and the clock advances. */
function instantClock(): Clock {
  let now = Date.UTC(2030, 0, 1);
  return {
    now: () => now,
    after: (ms, callback) => {
      const timer = setImmediate(() => {
        now += ms;
        callback();
      });
      return () => clearImmediate(timer);
    },
  };
}

export const cannedRegion = (world: CannedWorld, name = 'ap-northeast-1'): Region =>
  makeRegion({ name, clients: cannedClients(world), clock: instantClock(), role: null, pollMs: 5000 });

export function cannedClients(world: CannedWorld): Clients {
  const service = (iamName: string, operations: Record<string, Operation>) => async () =>
    new Proxy({} as never, {
      get: (_, name) => {
        // `await` reads this member.
        if (name === 'then') return undefined;
        return async (input: never) => {
          assertListed(iamName, String(name));
          world.calls.push(String(name));
          const refusal = world.refusals[String(name)];
          if (refusal) throw refusal;
          if (world.silent.includes(String(name))) return new Promise(() => undefined);
          const operation = operations[String(name)];
          if (!operation) throw new Error(`The fake has no operation ${String(name)}.`);
          return operation(input);
        };
      },
    });
  return {
    acm: service('acm', { listCertificates: () => ({ CertificateSummaryList: world.certificates }) }),
    autoScaling: service('autoscaling', cannedAutoScaling(world.groups)),
    cloudFormation: service('cloudformation', cannedCloudFormation(world)),
    ec2: service('ec2', { ...cannedEc2(world), ...cannedRegions(world) }),
    elastiCache: service('elasticache', cannedElastiCache(world)),
    loadBalancing: service('elasticloadbalancing', {
      deregisterTargets: ({
        TargetGroupArn,
        Targets,
      }: {
        TargetGroupArn: string;
        Targets: { Id: string }[];
      }) => {
        const removed = new Set(Targets.map(({ Id }) => Id));
        world.targets[TargetGroupArn] = (world.targets[TargetGroupArn] ?? []).filter(
          (id) => !removed.has(id),
        );
      },
    }),
    rds: service('rds', cannedRds(world)),
    s3: service('s3', cannedS3(world)),
    secretsManager: service('secretsmanager', {
      getSecretValue: ({ SecretId }: { SecretId: string }) => ({ SecretString: world.secrets[SecretId] }),
    }),
    sqs: service('sqs', {}),
    ssm: service('ssm', cannedSsm(world)),
    sts: service('sts', { getCallerIdentity: () => ({ Account: '111122223333' }) }),
  };
}

const cannedEc2 = (world: CannedWorld): Record<string, Operation> => ({
  describeInstances: (input: { InstanceIds?: string[]; Filters?: { Name: string; Values: string[] }[] }) => {
    const [id] = input.InstanceIds ?? [];
    const [{ Name, Values } = { Name: 'instance-id', Values: [id] }] = input.Filters ?? [];
    const found = world.instances.filter((instance) =>
      Name === 'instance-id'
        ? Values.includes(instance.id)
        : Values.some((key) => key && key in instance.tags),
    );
    if (id && found.length === 0)
      throw awsError('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);
    const Instances = found.map(({ id: InstanceId, tags, state }) => ({
      InstanceId,
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      State: { Name: state },
    }));
    return { Reservations: [{ Instances }] };
  },
  rebootInstances: ({ InstanceIds }: { InstanceIds: string[] }) => {
    for (const instance of world.instances) if (InstanceIds.includes(instance.id)) instance.reboots += 1;
  },
  getConsoleOutput: ({ InstanceId }: { InstanceId: string }) => ({
    Output: Buffer.from(world.consoles[InstanceId] ?? '').toString('base64'),
  }),
  describeAvailabilityZones: () => ({ AvailabilityZones: world.zones.map((ZoneName) => ({ ZoneName })) }),
  describeImages: ({ Filters: [filter] }: { Filters: { Values: string[] }[] }) => ({
    Images: world.images.filter(({ ImageId }) => filter?.Values.includes(ImageId)),
  }),
  describeInstanceTypes: ({ Filters: [filter] }: { Filters: { Values: string[] }[] }) => ({
    InstanceTypes: Object.entries(world.types)
      .filter(([type]) => filter?.Values.includes(type))
      .map(([InstanceType, { runs }]) => ({ InstanceType, ProcessorInfo: { SupportedArchitectures: runs } })),
  }),
  describeInstanceTypeOfferings: ({ Filters: [filter] }: { Filters: { Values: string[] }[] }) => ({
    InstanceTypeOfferings: Object.entries(world.types)
      .filter(([type]) => filter?.Values.includes(type))
      .flatMap(([InstanceType, { zones }]) => zones.map((Location) => ({ InstanceType, Location }))),
  }),
});

const cannedCloudFormation = (world: CannedWorld): Record<string, Operation> => ({
  describeStacks: ({ StackName }: { StackName?: string }) => ({
    Stacks: world.stacks.filter(
      (stack) => !StackName || stack['StackId'] === StackName || stack['StackName'] === StackName,
    ),
  }),
  updateStack: ({ Parameters: [version] }: { Parameters: { ParameterValue: string }[] }) =>
    void world.updates.push(version?.ParameterValue ?? ''),
  describeStackEvents: () => ({ StackEvents: world.events }),
  listStackResources: () => ({ StackResourceSummaries: world.resources }),
  createChangeSet: ({ ChangeSetName }: { ChangeSetName: string }) => {
    world.changeSets.push(ChangeSetName);
    return {};
  },
  describeChangeSet: () => {
    const { pollsUntilMade, ...made } = world.forecast;
    if (pollsUntilMade === 0) return made;
    world.forecast.pollsUntilMade -= 1;
    return { Status: 'CREATE_IN_PROGRESS' };
  },
  deleteChangeSet: ({ ChangeSetName }: { ChangeSetName: string }) => {
    world.changeSets = world.changeSets.filter((name) => name !== ChangeSetName);
  },
  detectStackDrift: () => ({ StackDriftDetectionId: 'check' }),
  describeStackDriftDetectionStatus: () => world.driftCheck,
  describeStackResourceDrifts: () => ({ StackResourceDrifts: world.drifted }),
});

function cannedSsm({ parameters }: CannedWorld): Record<string, Operation> {
  type Named = { Name: string; Value: string };
  const existing = (name: string): string => {
    const value = parameters[name];
    if (value === undefined) throw awsError('ParameterNotFound', `Parameter ${name} not found.`);
    return value;
  };
  return {
    getParameter: ({ Name }: Named) => ({ Parameter: { Value: existing(Name) } }),
    putParameter: ({ Name, Value }: Named) => void (parameters[Name] = Value),
    deleteParameter: ({ Name }: Named) => void (existing(Name) && delete parameters[Name]),
  };
}

function cannedS3({ buckets }: CannedWorld): Record<string, Operation> {
  type Named = { Bucket: string; Key: string; Body: string };
  const existing = (name: string) => {
    const bucket = buckets[name];
    if (!bucket) throw awsError('NoSuchBucket', 'The specified bucket does not exist', 404);
    return bucket;
  };
  return {
    createBucket: ({ Bucket }: Named) => {
      if (buckets[Bucket]) throw awsError('BucketAlreadyOwnedByYou', 'You have it already', 409);
      buckets[Bucket] = { objects: {}, closed: false, expireAfterDays: 0 };
    },
    putPublicAccessBlock: ({ Bucket }: Named) => void (existing(Bucket).closed = true),
    putBucketLifecycleConfiguration: ({ Bucket }: Named) => void (existing(Bucket).expireAfterDays = 1),
    putObject: ({ Bucket, Key, Body }: Named) => void (existing(Bucket).objects[Key] = Body),
  };
}
