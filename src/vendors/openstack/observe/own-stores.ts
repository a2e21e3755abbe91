import type { ObservedStore } from '../../data.ts';
import { storeIn } from '../layout/stores.ts';
import type { Region } from '../region.ts';
import type { HeatStack } from './list-stacks.ts';
import { type HeatResource, readResources } from './resources.ts';
import { phaseOf } from './stack-phase.ts';
import { stateKey } from './state-key.ts';

/** Statuses of a resource that was never complete: it holds no data. */
export const neverComplete = /^(INIT_\w+|CREATE_(IN_PROGRESS|FAILED)|DELETE_COMPLETE)$/;

const ownDatabase = 'FCX::Database::DBInstance';

function storeOf({ name, type, physicalId, status }: HeatResource): ObservedStore[] {
  const store = physicalId === '' ? undefined : storeIn(name, type);
  return store ? [{ ...store, id: physicalId, usable: !neverComplete.test(status), sizeGib: null }] : [];
}

/** Databases of K5, which only Heat lists: read once for each operation, when the stack is at rest. */
export async function readOwnStores(region: Region, stack: HeatStack): Promise<readonly ObservedStore[]> {
  if (!region.dialect.ownServices) return [];
  const state = stateKey(stack);
  const known = region.ownStores.get(stack.stackId);
  if (known && (known.state === state || phaseOf(stack.status).kind === 'busy')) return known.stores;
  const stores = (await readResources(region.client, stack, { type: ownDatabase })).flatMap(storeOf);
  region.ownStores.set(stack.stackId, { state, stores });
  return stores;
}
