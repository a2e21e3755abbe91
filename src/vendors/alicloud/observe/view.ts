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
import { readDetails } from './read-details.ts';
import type { StackDetails } from './stack-details.ts';

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

/** Its size and port are read once, and again after an operation. */
async function readDatabase(
  region: Region,
  { id, state }: { id: string; state: string },
  maxAgeMs: number,
): Promise<DatabaseInstance[]> {
  const row = (await region.databases.get(maxAgeMs)).value.get(id);
  if (!row) return [];
  const known = region.databaseDetails.get(id);
  const details = known?.state === state ? known.details : await readDatabaseDetails(region.clients, id);
  region.databaseDetails.set(id, { state, details });
  return [{ ...row, ...details }];
}

async function readCaches(region: Region, ids: readonly string[], maxAgeMs: number): Promise<CacheNode[]> {
  if (ids.length === 0) return [];
  const { value: all } = await region.caches.get(maxAgeMs);
  return ids.flatMap((id) => all.get(id) ?? []);
}

/** Reads the current resources. Databases and caches are read only if the stack has any. */
export async function readView(region: Region, stack: CloudStack, maxAgeMs: number): Promise<StackView> {
  const details = await readDetails(region, stack);
  const { stackId } = stack;
  const [instances, databases, caches] = await Promise.all([
    readInstances(region, { stackId, details }, maxAgeMs),
    Promise.all(
      idsIn(details, ...databaseStarts).map((id) =>
        readDatabase(region, { id, state: details.state }, maxAgeMs),
      ),
    ),
    readCaches(region, idsIn(details, ...cacheStarts), maxAgeMs),
  ]);
  return { ...emptyView, outputs: outputsOf(details), instances, databases: databases.flat(), caches };
}
