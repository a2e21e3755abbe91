import type { Client } from '../../client.ts';
import type { TemplateResource } from '../../document.ts';
import { ifThere, observing, unlessDeleted } from '../../errors.ts';
import { databaseTypes, serverType, storeIn, volumeType, withoutServersOf } from '../../layout/stores.ts';
import type { HeatStack } from '../../observe/list-stacks.ts';
import { neverComplete } from '../../observe/own-stores.ts';
import { type HeatResource, readResources } from '../../observe/resources.ts';
import type { Region } from '../../region.ts';
import { canTurnBack, findReplaced, isUnwanted } from '../half-replaced.ts';
import { isDeleted, nestedDepth } from '../missing-servers.ts';

/** Those of the resources whose data cannot be made again, as Heat lists them, without their properties. Not the disks of servers. */
function storesAmong(resources: readonly HeatResource[]): HeatResource[] {
  const stores = resources.flatMap(({ name, type }) => storeIn(name, type) ?? []);
  const names = new Set(
    withoutServersOf(stores.filter(({ kind }) => kind !== 'disk')).map(({ resource }) => resource),
  );
  return resources.filter(({ name }) => names.has(name));
}

/** A resource with data that the cloud still has. */
export interface DataStore {
  /** As Heat lists it. */
  resource: HeatResource;
  /** The id of the one with the data. */
  id: string;
  /** The listed resource is to replace the one with the data: an update began that, and was cancelled or failed. */
  isHidden?: boolean;
  /** The ids of the listed one and of another: nothing tells which of them has the data. */
  unclear?: readonly string[];
  /** The size of its volume; undefined: it cannot be read. */
  gib: number | undefined;
}

/** Whether the deletion of the stack stopped its creation: its status no longer says so. Heat drops the oldest events first. */
async function wasNeverComplete({ client }: Region, { stack, name, status }: HeatResource): Promise<boolean> {
  if (!status.startsWith('DELETE_')) return false;
  const path = `${stack}/resources/${name}/events`;
  type Events = { events?: readonly { resource_status: string }[] };
  const found = await observing(() => ifThere(() => client.read<Events>({ service: 'orchestration', path })));
  const past = (found?.events ?? []).map((event) => event.resource_status);
  return past.includes('CREATE_IN_PROGRESS') && !past.some((each) => each.endsWith('_COMPLETE'));
}

/** The one with the data, where Heat lists another that is to replace it. */
async function readHidden(
  region: Region,
  stack: HeatStack,
  { listed, isUnused }: { listed: HeatResource; isUnused: boolean },
): Promise<DataStore | undefined> {
  const { ids, isSure } = await findReplaced(region, stack, listed);
  for (const physicalId of ids) {
    const store = await readStore(region, { ...listed, physicalId });
    if (!store) continue;
    const isClear = isSure || isUnused || !(await readStore(region, listed));
    const unclear = isClear ? {} : { unclear: [listed.physicalId, physicalId] };
    return { ...store, resource: listed, isHidden: true, ...unclear };
  }
  return undefined;
}

async function readListed(
  region: Region,
  stack: HeatStack,
  listed: HeatResource,
): Promise<DataStore | undefined> {
  const { physicalId, status } = listed;
  const isUnused = physicalId === '' || neverComplete.test(status) || isUnwanted(listed);
  const mayHide = isUnused || status.startsWith('DELETE_') || canTurnBack(stack, listed);
  const hidden = mayHide ? await readHidden(region, stack, { listed, isUnused }) : undefined;
  return hidden ?? (isUnused ? undefined : readStore(region, listed));
}

async function readStore(region: Region, resource: HeatResource): Promise<DataStore | undefined> {
  if (await wasNeverComplete(region, resource)) return undefined;
  const { type, physicalId } = resource;
  const store = { resource, id: physicalId, gib: undefined };
  if (type === serverType) return (await isDeleted(region, physicalId)) ? undefined : store;
  const readGib = gibReaders[type];
  if (!readGib) return store;
  const gib = await observing(() => unlessDeleted(() => readGib(region.client, physicalId)));
  return gib && { ...store, ...gib };
}

type Gib = Pick<DataStore, 'gib'>;

/** The sizes of stores, by type of resource. */
const gibReaders: Readonly<Record<string, (client: Client, id: string) => Promise<Gib>>> = {
  'OS::Trove::Instance': async (client, id) => {
    type Answer = { instance: { volume?: { size?: number } } };
    const path = `/instances/${id}`;
    return { gib: (await client.read<Answer>({ service: 'database', path })).instance.volume?.size };
  },
  [volumeType]: async (client, id) => {
    const path = `/volumes/${id}`;
    return {
      gib: (await client.read<{ volume: { size: number } }>({ service: 'volumev3', path })).volume.size,
    };
  },
};

/** What a stack consists of. */
export interface StackResources {
  /** Also those of nested stacks. */
  resources: readonly HeatResource[];
  /** Without those that were never complete, and those that were deleted outside Almanac: their data is gone. */
  stores: readonly DataStore[];
}

export async function readStackResources(region: Region, stack: HeatStack): Promise<StackResources> {
  const resources = await readResources(region.client, stack, { depth: nestedDepth });
  const stores = await Promise.all(
    storesAmong(resources).map((resource) => readListed(region, stack, resource)),
  );
  return { resources, stores: stores.filter((store) => store !== undefined) };
}

/** The size of a database's volume, or of a volume, in a template; 0: it has none. */
export function gibOf({ type, properties = {} }: TemplateResource): number {
  if (!databaseTypes.has(type) && type !== volumeType) return 0;
  const volume = properties['volume'] as { size?: unknown } | undefined;
  return Number(properties['size'] ?? volume?.size ?? 0);
}
