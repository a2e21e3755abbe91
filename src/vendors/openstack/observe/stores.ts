import type { ObservedStore } from '../../data.ts';
import { storeIn, withoutServersOf } from '../layout/stores.ts';
import { database } from '../names.ts';
import type { Region } from '../region.ts';
import type { DatabasesByStack } from './list-databases.ts';
import { noServers } from './list-servers.ts';
import { type DataVolume, keptSince } from './list-volumes.ts';

const troveType = 'OS::Trove::Instance';
/** Trove builds it for the first time. */
const building = /^(NEW|BUILD)$/i;

const databaseStores = (all: DatabasesByStack, stackId: string): ObservedStore[] =>
  all
    .filter(({ name, database: { role } }) => name.startsWith(`${stackId}-`) && role === 'primary')
    .flatMap(({ name, database: { id, state, storageGib } }) => {
      const store = storeIn(database(name.slice(stackId.length + 1)), troveType);
      return store ? [{ ...store, id, usable: !building.test(state), sizeGib: storageGib }] : [];
    });

const volumeStores = (all: readonly DataVolume[], stackId: string): ObservedStore[] =>
  all
    .filter((volume) => volume.stackId === stackId && volume.status !== 'deleting')
    .filter((volume) => keptSince(volume) === undefined)
    .map(({ resource, resourceType, kind, name, id, usable, sizeGib }) => ({
      resource,
      resourceType,
      kind,
      name,
      id,
      usable,
      sizeGib,
    }));

/** Every store of a stack that exists, whether Heat still has the stack or not. Callers share the lists. */
export async function readStores(
  { servers, databases, volumes }: Region,
  stackId: string,
  maxAgeMs: number,
): Promise<ObservedStore[]> {
  const [{ value: serversBy }, { value: allDatabases }, { value: allVolumes }] = await Promise.all([
    servers.get(maxAgeMs),
    databases.get(maxAgeMs),
    volumes.get(maxAgeMs),
  ]);
  const stores = withoutServersOf([
    ...databaseStores(allDatabases, stackId),
    ...volumeStores(allVolumes, stackId),
    ...(serversBy.get(stackId) ?? noServers).stores,
  ]);
  return stores.toSorted((one, other) => (one.resource < other.resource ? -1 : 1));
}
