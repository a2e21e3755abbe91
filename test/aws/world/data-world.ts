import type { StackResourceSummary } from '@aws-sdk/client-cloudformation';
import type { Outcome } from '../../../src/basics/problem.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import type { Template } from '../../../src/vendors/aws/document.ts';
import { cloudStackName } from '../../../src/vendors/aws/names.ts';
import type { StackOnVendor, VendorDocument } from '../../../src/vendors/vendor.ts';
import type { DataWorld, Part } from '../../vendors/data-contract.ts';
import { type AwsWorld, newStack } from './world.ts';

/** Names of databases and snapshots are in lower case. */
export const isOf = ({ id }: StackOnVendor, name = ''): boolean =>
  name.toLowerCase().startsWith(cloudStackName(id).toLowerCase());

/** The resource that holds the data of a part. AWS has no shared files. */
const holders: Readonly<Record<Part, string>> = {
  database: 'Databaseapp',
  cache: 'Cachesessions',
  files: 'Filesapnortheast1a0OfData0',
  shared: 'none',
  disk: 'Instance0OfData0',
};

const snapshotMembers = ['DBSnapshotIdentifier', 'SnapshotName', 'SnapshotId'];

interface Snapshot {
  id: string;
  /** The store that it was taken of. */
  source: string;
  isOf: (stack: StackOnVendor) => boolean;
}

/** What the services of the cloud have, without the driver. */
export function dataIn({ cloud }: AwsWorld) {
  const { rds, elastiCache, ec2, cloudFormation } = cloud;

  const databaseSnapshots = async (): Promise<Snapshot[]> => {
    const { DBSnapshots = [] } = await rds.describeDBSnapshots({ SnapshotType: 'manual' });
    return DBSnapshots.map(({ DBSnapshotIdentifier: id = '', DBInstanceIdentifier: source = '' }) => ({
      id,
      source,
      isOf: (stack) => isOf(stack, id),
    }));
  };
  const cacheSnapshots = async (): Promise<Snapshot[]> => {
    const { Snapshots = [] } = await elastiCache.describeSnapshots({});
    return Snapshots.map(({ SnapshotName: id = '', ReplicationGroupId: source = '' }) => ({
      id,
      source,
      isOf: (stack) => isOf(stack, id),
    }));
  };
  /** Not those of the simulator's images. */
  const volumeSnapshots = async (): Promise<Snapshot[]> => {
    const { Snapshots = [] } = await ec2.describeSnapshots({
      Filters: [{ Name: 'description', Values: ['alm-*'] }],
    });
    return Snapshots.map(({ SnapshotId: id = '', VolumeId: source = '', Description }) => ({
      id,
      source,
      isOf: (stack) => isOf(stack, Description),
    }));
  };
  const snapshots = async (): Promise<Snapshot[]> =>
    (await Promise.all([databaseSnapshots(), cacheSnapshots(), volumeSnapshots()])).flat();

  const storeIds = async (): Promise<Set<string>> => {
    const { DBInstances = [] } = await rds.describeDBInstances({});
    const { ReplicationGroups = [] } = await elastiCache.describeReplicationGroups({});
    const { Volumes = [] } = await ec2.describeVolumes({});
    const ids = [
      ...DBInstances.map(({ DBInstanceIdentifier }) => DBInstanceIdentifier),
      ...ReplicationGroups.map(({ ReplicationGroupId }) => ReplicationGroupId),
      ...Volumes.map(({ VolumeId }) => VolumeId),
      ...(await cloud.instances()).map(({ InstanceId }) => InstanceId),
    ];
    return new Set(ids.flatMap((id) => id ?? []));
  };

  const resourcesOf = async ({ id }: StackOnVendor): Promise<StackResourceSummary[]> => {
    const StackName = cloudStackName(id);
    const found = await cloudFormation.listStackResources({ StackName }).catch(() => undefined);
    return (found?.StackResourceSummaries ?? []).filter(
      ({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE',
    );
  };
  const templateOf = async ({ id }: StackOnVendor): Promise<Template> => {
    const { TemplateBody = '' } = await cloudFormation.getTemplate({ StackName: cloudStackName(id) });
    return JSON.parse(TemplateBody) as Template;
  };

  return { snapshots, storeIds, resourcesOf, templateOf };
}

const holdsData = /^AWS::(?:RDS::DBInstance|ElastiCache::ReplicationGroup|EC2::Volume|EC2::Instance)$/;

/** The stack in documents; its id is replaced by the real one. */
const placeholder = newStack();

/** Compiles each document once: the simulator takes seconds to list what AWS offers for a database. */
const documents = new Map<string, Promise<Outcome<VendorDocument>>>();

async function compiledOnce(
  world: AwsWorld,
  stack: StackOnVendor,
  versions: { model: StackModel; before: VendorDocument | null },
): Promise<Outcome<VendorDocument>> {
  const key = JSON.stringify(versions).replaceAll(stack.id, placeholder.id);
  const { model, before } = JSON.parse(key) as typeof versions;
  const compiled = documents.get(key) ?? world.chosen(placeholder, model, before);
  documents.set(key, compiled);
  return JSON.parse(JSON.stringify(await compiled).replaceAll(placeholder.id, stack.id));
}

/** Sets a fault of the overlay. */
type Inject = (fault: object) => Promise<unknown>;

/** A vendor on moto with the overlay. */
export function dataWorld(world: AwsWorld, inject: Inject): DataWorld {
  const cloud = dataIn(world);
  const countStores = (document: VendorDocument | null): number =>
    document === null
      ? 0
      : world.vendor.storesOf(document).filter(({ resource }) => !/OfWeb/.test(resource)).length;
  /** Holds updates to documents with more servers open, so that they can be cancelled: all that add a store are. */
  const hold = async ({ id }: StackOnVendor, sleep: number): Promise<unknown> =>
    inject({ on: 'resource', phase: 'create', logical: '^Instance3Of', stack: id, sleep, times: 1 });
  return {
    vendor: world.vendor,
    connect: () => world.as({}).driver,
    newStack,
    document: async (stack, model, before) => {
      const outcome = await compiledOnce(world, stack, { model, before });
      const isLarge = model.layers.some(({ capacity }) => capacity.kind === 'fixed' && capacity.count > 3);
      if (outcome.ok && isLarge)
        await hold(stack, countStores(outcome.value) > countStores(before) ? 120 : 6);
      return outcome;
    },
    passMoment: world.passMoment,
    passAll: () => world.passAll(),
    dataIn: async (stack, part) => {
      const found = (await cloud.resourcesOf(stack)).find(
        ({ LogicalResourceId }) => LogicalResourceId === holders[part],
      );
      const id = found?.PhysicalResourceId;
      if (id === undefined || !(await cloud.storeIds()).has(id)) return undefined;
      // The simulators do not copy the content of a snapshot. The template says what a store was made from.
      const { Properties = {} } = (await cloud.templateOf(stack)).Resources[holders[part]] ?? {};
      const snapshot = snapshotMembers.map((member) => Properties[member]).find((name) => name !== undefined);
      return snapshot === undefined
        ? id
        : (await cloud.snapshots()).find((one) => one.id === snapshot)?.source;
    },
    storeIds: async (stack) => {
      const present = await cloud.storeIds();
      return (await cloud.resourcesOf(stack))
        .filter(({ ResourceType = '' }) => holdsData.test(ResourceType))
        .flatMap(({ PhysicalResourceId: id = '' }) => (present.has(id) ? [id] : []));
    },
    keptData: async (stack) =>
      (await cloud.snapshots()).filter((snapshot) => snapshot.isOf(stack)).map(({ id }) => id),
    can: {
      has: ['database', 'cache', 'files', 'disk'],
      keeps: { database: 'a snapshot', cache: 'a snapshot', files: 'a snapshot' },
      // Not a larger one: AWS cannot shrink it, and the contract compiles the smaller one again.
      changes: {
        database: (model) => ({
          ...model,
          databases: model.databases.map((database) => ({ ...database, multiZone: true })),
        }),
      },
    },
  };
}
