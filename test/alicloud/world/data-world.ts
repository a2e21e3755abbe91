import type { StackModel } from '../../../src/model/stack-model.ts';
import { filesOutput, flagTag, storeTag } from '../../../src/vendors/alicloud/names.ts';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';
import { changing, dataLayerFlag } from '../../vendors/data-contract/models.ts';
import type { DataWorld, Part } from '../../vendors/data-contract.ts';
import type { Snapshot } from './backups.ts';
import type { Tag } from './double.ts';
import { type AlicloudWorld, newStack } from './world.ts';

/** What the double has of a stack, by the tags that ROS gives to everything. */
async function thingsOf({ double }: AlicloudWorld, { id }: StackOnVendor, kind: 'rds' | 'kv' | 'inst') {
  const worlds = await double.worlds();
  return worlds
    .flatMap((world) => Object.values(world[kind] ?? {}))
    .filter((thing) => JSON.stringify(thing).includes(id));
}

export const databasesOf = async (world: AlicloudWorld, stack: StackOnVendor): Promise<string[]> =>
  (await thingsOf(world, stack, 'rds')).map((database) => String(database['id']));

const cachesOf = async (world: AlicloudWorld, stack: StackOnVendor): Promise<string[]> =>
  (await thingsOf(world, stack, 'kv')).map((cache) => String(cache['id']));

/** The system disks of servers. A server that gets another image has another disk. */
async function disksOf(world: AlicloudWorld, stack: StackOnVendor, flag?: string): Promise<string[]> {
  const isWanted = (tags: unknown): boolean =>
    flag === undefined || (tags as Tag[]).some(({ Key, Value }) => Key === flagTag && Value === flag);
  return (await thingsOf(world, stack, 'inst'))
    .filter((server) => isWanted(server['tags']))
    .map((server) => `${String(server['id'])}:${String(server['image'])}`);
}

/** The disks on which containers keep files: only the template says whether they do. */
async function filesOf(world: AlicloudWorld, stack: StackOnVendor): Promise<string[]> {
  const { stacks } = await world.double.state();
  const hasFiles = Object.values(stacks).some(
    ({ tags, template }) =>
      tags.some(({ Value }) => Value === stack.id) && filesOutput(dataLayerFlag) in (template.Outputs ?? {}),
  );
  return hasFiles ? (await disksOf(world, stack, dataLayerFlag)).map((id) => `${id}:files`) : [];
}

/** Nothing of the double has content: another id is other data. */
const holders: Readonly<
  Record<Part, (world: AlicloudWorld, stack: StackOnVendor) => Promise<readonly string[]>>
> = {
  database: databasesOf,
  cache: cachesOf,
  files: filesOf,
  shared: async () => [],
  disk: (world, stack) => disksOf(world, stack, dataLayerFlag),
};

async function storeIds(world: AlicloudWorld, stack: StackOnVendor): Promise<string[]> {
  const found = await Promise.all(
    [databasesOf, cachesOf, disksOf, filesOf].map((list) => list(world, stack)),
  );
  return found.flat();
}

const storeOf = ({ Tags }: Snapshot): string =>
  Tags.Tag.find(({ TagKey }) => TagKey === storeTag)?.TagValue ?? '';

/** RDS does not say to which stack a backup belonged. Snapshots of disks that exist outlived nothing yet. */
async function keptData(world: AlicloudWorld, stack: StackOnVendor): Promise<string[]> {
  const existing = new Set(await storeIds(world, stack));
  const { backups } = world;
  const snapshots = backups.snapshots.filter(
    (snapshot) => JSON.stringify(snapshot.Tags).includes(stack.id) && !existing.has(storeOf(snapshot)),
  );
  return [
    ...(await backups.detached()).map(({ BackupId }) => BackupId),
    ...snapshots.map(({ SnapshotId }) => SnapshotId),
  ];
}

const withNodeType =
  (nodeType: string) =>
  (model: StackModel): StackModel => ({
    ...model,
    caches: model.caches.map((cache) => ({ ...cache, nodeType })),
  });
const smallCaches = withNodeType('redis.master.small.default');

const withOtherImage = (model: StackModel): StackModel => ({
  ...model,
  layers: model.layers.map((layer) =>
    layer.flag === dataLayerFlag ? { ...layer, machineImage: 'm-bp1customimage0000000' } : layer,
  ),
});

/** The double for the contract of data, with a stand-in for backups and snapshots. A server that restarts makes other backups. */
export async function dataWorld(world: AlicloudWorld): Promise<DataWorld> {
  await world.reset();
  const { vendor, access, passMoment } = world;
  return {
    vendor,
    connect: () => vendor.connect(access),
    newStack,
    document: (stack, model, before) => {
      const isOfAws = model.caches.some(({ nodeType }) => nodeType.startsWith('cache.'));
      return world.offered(stack, isOfAws ? smallCaches(model) : model, before);
    },
    passMoment,
    passAll: async () => {
      world.backups.finish();
      await world.passAll();
    },
    dataIn: async (stack, part) => (await holders[part](world, stack))[0],
    storeIds: (stack) => storeIds(world, stack),
    keptData: (stack) => keptData(world, stack),
    can: {
      has: ['database', 'cache', 'files', 'disk'],
      keeps: { database: 'a backup (MySQL only)', files: 'a snapshot' },
      restores: [],
      filesOutliveServers: false,
      showsUnfinished: false,
      replaces: { cache: changing.cache, files: withOtherImage, disk: withOtherImage },
      changes: { cache: withNodeType('redis.master.mid.default') },
    },
  };
}
