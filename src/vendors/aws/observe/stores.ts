import type { ObservedStore } from '../../data.ts';
import type { DatabaseInstance } from '../../vendor.ts';
import { storeAt } from '../data-stores.ts';
import { storeOutput } from '../names.ts';
import type { Region } from '../region.ts';
import type { Server } from './list-instances.ts';
import { readResources } from './list-resources.ts';
import type { CloudStack } from './list-stacks.ts';
import type { StorePlaces } from './operation-history.ts';

/** What the outputs of a stack show: exact for a stack that is complete. */
export function placesInOutputs({ outputs }: Pick<CloudStack, 'outputs'>): StorePlaces {
  const placesOf = (pattern: RegExp): Map<string, string> =>
    new Map(
      [...outputs]
        .map(([key, { value }]) => [key.replace(storeOutput(''), ''), value] as const)
        .filter(([resource]) => outputs.has(storeOutput(resource)) && pattern.test(resource)),
    );
  return {
    databases: placesOf(/^Database/),
    caches: placesOf(/^(?:Redis|Memcached)?Cache/),
    volumes: placesOf(/^Files/),
  };
}

const kindsOfTypes: Readonly<Record<string, keyof StorePlaces>> = {
  'AWS::RDS::DBInstance': 'databases',
  'AWS::ElastiCache::ReplicationGroup': 'caches',
  'AWS::EC2::Volume': 'volumes',
};

/** What CloudFormation made and did not delete: after a failure, outputs do not show all of it. */
export async function placesInStack(region: Region, stack: CloudStack): Promise<StorePlaces> {
  const places = {
    databases: new Map<string, string>(),
    caches: new Map<string, string>(),
    volumes: new Map<string, string>(),
  };
  for (const resource of await readResources(region, stack)) {
    const { LogicalResourceId = '', PhysicalResourceId, ResourceType = '', ResourceStatus } = resource;
    const kind = kindsOfTypes[ResourceType];
    if (kind && PhysicalResourceId && ResourceStatus !== 'DELETE_COMPLETE')
      places[kind].set(LogicalResourceId, PhysicalResourceId);
  }
  return places;
}

interface Found {
  region: Region;
  places: StorePlaces;
  servers: readonly Server[];
  maxAgeMs: number;
}

/** Everything that holds data and exists. */
export async function observedStores({ region, places, servers, maxAgeMs }: Found): Promise<ObservedStore[]> {
  const stores = await Promise.all([
    ...[...places.databases].map(async ([resource, id]) =>
      databaseStore(resource, (await region.databases.get(id, maxAgeMs)).value),
    ),
    ...[...places.caches].map(([resource, id]) => cacheStore(region, { resource, id }, maxAgeMs)),
    ...[...places.volumes].map(async ([resource, id]) =>
      fileStore(resource, id, (await region.volumes.get(id, maxAgeMs)).value),
    ),
  ]);
  return [...stores.flat(), ...servers.flatMap(diskStore)];
}

function databaseStore(resource: string, found: DatabaseInstance | undefined): ObservedStore[] {
  if (found?.role !== 'primary') return [];
  const { id, state, storageGib } = found;
  const declared = storeAt(resource, 'AWS::RDS::DBInstance', 'database');
  return [{ ...declared, id, usable: state !== 'creating', sizeGib: storageGib }];
}

async function cacheStore(
  region: Region,
  { resource, id }: { resource: string; id: string },
  maxAgeMs: number,
): Promise<ObservedStore[]> {
  const nodes = (await region.caches.get(id, maxAgeMs)).value ?? [];
  if (nodes[0]?.engine !== 'redis') return [];
  const declared = storeAt(resource, 'AWS::ElastiCache::ReplicationGroup', 'cache');
  return [{ ...declared, id, usable: nodes.some(({ state }) => state !== 'creating'), sizeGib: null }];
}

function fileStore(resource: string, id: string, sizeGib: number | undefined): ObservedStore[] {
  if (sizeGib === undefined) return [];
  return [{ ...storeAt(resource, 'AWS::EC2::Volume', 'files'), id, usable: true, sizeGib }];
}

const gone = new Set(['shutting-down', 'terminated']);

function diskStore({ instance: { id, state }, resource }: Server): ObservedStore[] {
  if (resource === '' || gone.has(state)) return [];
  const declared = storeAt(resource, 'AWS::EC2::Instance', 'disk');
  return [{ ...declared, id, usable: state !== 'pending', sizeGib: null }];
}
