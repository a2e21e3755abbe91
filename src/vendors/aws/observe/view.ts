import type { Release } from '../../data.ts';
import { emptyView, type Output, type StackView } from '../../vendor.ts';
import { ownOutputs, replicaOutput } from '../names.ts';
import type { Region } from '../region.ts';
import type { CloudStack } from './list-stacks.ts';
import type { StorePlaces } from './operation-history.ts';
import { observedStores, placesInOutputs } from './stores.ts';

const isOwn = (key: string): boolean => key.startsWith(ownOutputs);

const outputsOf = ({ outputs }: CloudStack): Output[] =>
  [...outputs]
    .filter(([key]) => !isOwn(key))
    .map(([key, { value, description }]) => ({ key, value, description }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));

const replicaStart = replicaOutput('', 0).replace(/0Of$/, '');

const replicasOf = ({ outputs }: CloudStack): string[] =>
  [...outputs].filter(([key]) => key.startsWith(replicaStart)).map(([, { value }]) => value);

/** Logical ids of the stores that the outputs show. Disks of servers are not among them. */
export function dataIn(stack: CloudStack): string[] {
  const { databases, caches, volumes } = placesInOutputs(stack);
  return [...databases.keys(), ...caches.keys(), ...volumes.keys()];
}

/** The releases of stores that the stack still has: a caller's word about a store is not about the one that replaced it. */
export function liveReleases(stack: CloudStack, releases: readonly Release[]): Release[] {
  const { databases, caches, volumes } = placesInOutputs(stack);
  const ids = new Map([...databases, ...caches, ...volumes]);
  return releases.filter(({ kind, resource, storeId }) => kind === 'disk' || ids.get(resource) === storeId);
}

/**
 * Reads the current resources. Databases, caches and volumes are read only if the stack has any. `places`: the stores, if they
 * are known better than from the outputs.
 */
export async function readView(
  region: Region,
  stack: CloudStack,
  { maxAgeMs, places = placesInOutputs(stack) }: { maxAgeMs: number; places?: StorePlaces },
): Promise<StackView> {
  const databaseNames = [...placesInOutputs(stack).databases.values(), ...replicasOf(stack)];
  const cacheNames = [...placesInOutputs(stack).caches.values()];
  const [{ value: byStack }, databases, caches] = await Promise.all([
    region.instances.get(maxAgeMs),
    Promise.all(databaseNames.map((name) => region.databases.get(name, maxAgeMs))),
    Promise.all(cacheNames.map((name) => region.caches.get(name, maxAgeMs))),
  ]);
  const servers = byStack.get(stack.stackId) ?? [];
  return {
    ...emptyView,
    outputs: outputsOf(stack),
    instances: servers.map(({ instance }) => instance),
    databases: databases.flatMap(({ value }) => value ?? []),
    caches: caches.flatMap(({ value }) => value ?? []),
    stores: await observedStores({ region, places, servers, maxAgeMs }),
  };
}
