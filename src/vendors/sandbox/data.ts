import { createHash } from 'node:crypto';
import type { DocumentChange, RemovedData } from '../data.ts';
import type { Resource, Step } from './cloud.ts';
import type { DocumentResource, SandboxDocument } from './document.ts';
import { preview } from './preview.ts';

/** Replicas and Memcached hold only copies. A Redis cluster is one store, whatever the number of its nodes. */
const holdsData = ({ type, properties }: DocumentResource): boolean =>
  type === 'FileSystem' ||
  (type === 'DatabaseInstance' && properties['role'] === 'primary') ||
  (type === 'CacheCluster' && properties['engine'] === 'redis');

const keptAs = 'The sandbox takes a simulated final snapshot; an event of the stack has its name.';

export function removedData({ before, after }: DocumentChange<SandboxDocument>): RemovedData[] {
  const stores = before.resources.filter(holdsData);
  const changes = after ? preview(before, after) : [];
  const actions = new Map(changes.map(({ resource, action }) => [resource, action]));
  return stores.flatMap(({ name: resource, type: resourceType }) => {
    const action = after ? actions.get(resource) : 'remove';
    return action === 'remove' || action === 'replace' ? [{ action, resource, resourceType, keptAs }] : [];
  });
}

const snapshotIdOf = ({ id }: Resource, turn: string): string =>
  `snap-${createHash('sha256').update(`${turn} ${id}`).digest('hex').slice(0, 17)}`;

/** Tells in the events that the data of deleted resources stays. The snapshots exist only there. */
export function snapshotRemoved(steps: readonly Step[]): void {
  for (const step of steps) {
    const { action, resource, failure, turn } = step;
    if (action !== 'delete' || failure !== null || !holdsData(resource)) continue;
    const snapshot = snapshotIdOf(resource, turn);
    step.story = {
      started: {
        state: 'DELETE_IN_PROGRESS',
        message: `Taking snapshot ${snapshot} of ${resource.id}, then deleting it.`,
      },
      finished: {
        state: 'DELETE_COMPLETE',
        message: `Deleted ${resource.id}. Its data is kept in snapshot ${snapshot}.`,
      },
    };
  }
}
