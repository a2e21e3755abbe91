import type { ObservedStore } from '../../data.ts';
import type { SharedRead } from '../../shared/shared-read.ts';
import type { CacheNode, DatabaseInstance, Instance, Output, StackView } from '../../vendor.ts';
import { emptyView } from '../../vendor.ts';
import {
  databaseOutput,
  groupOutput,
  memcachedOutput,
  ownOutputs,
  redisOutput,
  replicaOutput,
} from '../names.ts';
import type { Region } from '../region.ts';
import { readDatabaseDetails } from './list-services.ts';
import type { CloudStack } from './list-stacks.ts';
import type { Placed } from './placed.ts';
import { readDetails } from './read-details.ts';
import type { StackDetails } from './stack-details.ts';
import { phaseOf } from './stack-phase.ts';
import { hasData, idsOf, listPlaced, readPlaced, storesSeen } from './stores.ts';

const outputsOf = ({ outputs }: StackDetails): Output[] =>
  [...outputs]
    .filter(([key]) => !key.startsWith(ownOutputs))
    .map(([key, { value, description }]) => ({ key, value, description }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));

/** Physical ids of a stack's resources of one kind. */
const idsIn = ({ outputs }: StackDetails, ...starts: string[]): string[] =>
  [...outputs].filter(([key]) => starts.some((start) => key.startsWith(start))).map(([, { value }]) => value);

const withoutNumber = (name: string): string => name.replace(/0Of$/, '');
const databaseStarts = [databaseOutput(''), withoutNumber(replicaOutput('', 0))];
const cacheStarts = [redisOutput(''), withoutNumber(memcachedOutput('', 0))];

export const groupIdsOf = (details: StackDetails): string[] => idsIn(details, groupOutput('')).toSorted();

async function readInstances(
  region: Region,
  { stackId, details }: { stackId: string; details: StackDetails },
  maxAgeMs: number,
): Promise<readonly Instance[]> {
  const [{ value: all }, removing] = await Promise.all([
    region.instances.get(maxAgeMs),
    groupIdsOf(details).length > 0 ? region.removing.get(maxAgeMs) : { value: new Set<string>() },
  ]);
  const withState = (instance: Instance): Instance =>
    removing.value.has(instance.id) ? { ...instance, state: 'shutting-down' } : instance;
  return (all.get(stackId) ?? []).map(withState);
}

interface Freshness {
  maxAgeMs: number;
  /** Read again before reporting that something is gone: it may be newer than the last read. */
  isFinal: boolean;
}

async function findListed<T>(
  list: SharedRead<ReadonlyMap<string, T>>,
  id: string,
  { maxAgeMs, isFinal }: Freshness,
): Promise<T | undefined> {
  const found = (await list.get(maxAgeMs)).value.get(id);
  return found || !isFinal ? found : (await list.get(0)).value.get(id);
}

/** Its size and port are read once, and again after an operation. */
async function readDatabase(
  region: Region,
  { id, state }: { id: string; state: string },
  freshness: Freshness,
): Promise<DatabaseInstance[]> {
  const row = await findListed(region.databases, id, freshness);
  if (!row) return [];
  const known = region.databaseDetails.get(id);
  const details = known?.state === state ? known.details : await readDatabaseDetails(region.clients, id);
  region.databaseDetails.set(id, { state, details });
  return [{ ...row, ...details }];
}

async function readCaches(
  region: Region,
  ids: readonly string[],
  freshness: Freshness,
): Promise<CacheNode[]> {
  const found = await Promise.all(ids.map((id) => findListed(region.caches, id, freshness)));
  return found.flatMap((cache) => cache ?? []);
}

interface Wanted {
  details: StackDetails;
  placed: readonly Placed[];
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Databases and caches are read only if the stack has any. */
async function readResources(
  region: Region,
  stack: CloudStack,
  { details, placed, maxAgeMs }: Wanted & { maxAgeMs: number },
) {
  const databaseIds = distinct([...idsIn(details, ...databaseStarts), ...idsOf(placed, 'database')]);
  const cacheIds = distinct([...idsIn(details, ...cacheStarts), ...idsOf(placed, 'cache')]);
  const freshness = { maxAgeMs, isFinal: phaseOf(stack.status).kind !== 'busy' };
  const [instances, databases, caches] = await Promise.all([
    readInstances(region, { stackId: stack.stackId, details }, maxAgeMs),
    Promise.all(databaseIds.map((id) => readDatabase(region, { id, state: details.state }, freshness))),
    readCaches(region, cacheIds, freshness),
  ]);
  const seen = { instances, databases: databases.flat(), caches };
  return { ...seen, stores: storesSeen(placed, { ...seen, stack, details }) };
}

/** Reads the current resources. */
export async function readView(region: Region, stack: CloudStack, maxAgeMs: number): Promise<StackView> {
  const details = await readDetails(region, stack);
  const placed = await readPlaced(region, stack, details);
  const resources = await readResources(region, stack, { details, placed, maxAgeMs });
  return { ...emptyView, outputs: outputsOf(details), ...resources };
}

/** Databases, caches and files before a step that may delete some: those of all resources that ROS lists. */
export async function readDataStores(region: Region, stack: CloudStack): Promise<readonly ObservedStore[]> {
  const details = await readDetails(region, stack);
  const placed = (await listPlaced(region.clients, stack)).filter((each) => hasData(each, details));
  if (placed.length === 0) return [];
  const { stores } = await readResources(region, stack, { details, placed, maxAgeMs: region.pollMs });
  return stores.filter(({ kind }) => kind !== 'disk');
}
