import type { TemplateResource } from '../document.ts';
import { ifThere, observing, unlessDeleted } from '../errors.ts';
import { databaseTypes } from '../layout/impact.ts';
import { redisPrimary } from '../names.ts';
import type { HeatStack } from '../observe/list-stacks.ts';
import { type HeatResource, readResources } from '../observe/resources.ts';
import type { Region } from '../region.ts';
import { canTurnBack, findReplaced, isUnwanted } from './half-replaced.ts';
import { isDeleted, nestedDepth, serverType } from './missing-servers.ts';

/** Whether a resource as Heat lists it, without its properties, is one whose data cannot be made again. */
const isStore = ({ name, type }: HeatResource): boolean =>
  databaseTypes.has(type) || (type === serverType && redisPrimary.test(name));

/** What was never complete holds no data yet. */
const neverComplete = /^(INIT_\w+|CREATE_(IN_PROGRESS|FAILED)|DELETE_COMPLETE)$/;

/** A resource with data that the cloud still has. */
export interface DataStore {
  /** As Heat lists it. */
  resource: HeatResource;
  /** The listed resource is to replace the one with the data: an update began that, and was cancelled or failed. */
  isHidden?: boolean;
  /** The ids of the listed one and of another: nothing tells which of them has the data. */
  unclear?: readonly string[];
  /** The size of its volume; undefined: it cannot be read. */
  gib: number | undefined;
}

interface TroveAnswer {
  instance: { volume?: { size?: number } };
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
  if (type === serverType)
    return (await isDeleted(region, physicalId)) ? undefined : { resource, gib: undefined };
  if (type !== 'OS::Trove::Instance') return { resource, gib: undefined };
  const path = `/instances/${physicalId}`;
  const found = await observing(() =>
    unlessDeleted(() => region.client.read<TroveAnswer>({ service: 'database', path })),
  );
  return found && { resource, gib: found.instance.volume?.size };
}

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
    resources.filter(isStore).map((resource) => readListed(region, stack, resource)),
  );
  return { resources, stores: stores.filter((store) => store !== undefined) };
}

/** The size of a database's volume in a template; 0: it has none. */
export function gibOf({ type, properties = {} }: TemplateResource): number {
  if (!databaseTypes.has(type)) return 0;
  const volume = properties['volume'] as { size?: unknown } | undefined;
  return Number(properties['size'] ?? volume?.size ?? 0);
}
