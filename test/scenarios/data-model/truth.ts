import { contentOf, observedStores, snapshotsAt } from '../../../src/vendors/sandbox/data.ts';
import { eventsAt } from '../../../src/vendors/sandbox/events.ts';
import { resourceStatesAt } from '../../../src/vendors/sandbox/timeline.ts';
import type { World } from '../../world.ts';

export interface TrueStore {
  id: string;
  kind: string;
  resource: string;
  content: string;
  /** It is being deleted. */
  isGoing: boolean;
}

/** What the simulated cloud really has of a stack, read from its own table. */
export interface Truth {
  /** Those that were ready once. */
  stores: readonly TrueStore[];
  /** Contents by the id of the snapshot. */
  snapshots: ReadonlyMap<string, string>;
  /** Ids of stores that the vendor deleted because a version failed. */
  undone: ReadonlySet<string>;
}

const undoing = /:rollback:(\S+):DELETE_(?:IN_PROGRESS|COMPLETE)$/;

export async function readTruth(world: World, stackId: string): Promise<Truth> {
  const { account_id: account, credential_id: credential } = await world.row(stackId);
  const { stack } = await world.cloud.read(`${account}/${credential}`, stackId);
  if (!stack) return { stores: [], snapshots: new Map(), undone: new Set() };
  const now = world.clock.now();
  const states = new Map(resourceStatesAt(stack, now).map((each) => [each.resource.id, each]));
  return {
    stores: observedStores(stack, now)
      .filter(({ usable }) => usable)
      .map(({ id, kind, resource }) => {
        const found = states.get(id);
        const content = found ? contentOf(found.resource) : '';
        return { id, kind, resource, content, isGoing: found?.state === 'deleting' };
      }),
    snapshots: new Map(snapshotsAt(stack, now).map(({ id, content }) => [id, content])),
    undone: new Set(eventsAt(stack, now).flatMap(({ id }) => undoing.exec(id)?.[1] ?? [])),
  };
}
