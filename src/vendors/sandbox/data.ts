import { createHash } from 'node:crypto';
import type { StoreKind } from '../../model/data-choice.ts';
import {
  type DeclaredStore,
  type DocumentChange,
  type KeptStore,
  type ObservedStore,
  type Release,
} from '../data.ts';
import { storeNameIn } from '../shared/store-names.ts';
import type { Resource, SandboxStack, Snapshot, Step } from './cloud.ts';
import type { DocumentResource, SandboxDocument } from './document.ts';
import { preview } from './preview.ts';
import { resourceStatesAt } from './timeline.ts';

/** Replicas and Memcached hold only copies. A Redis cluster is one store, whatever the number of its nodes. */
function kindOf({ type, properties }: DocumentResource): StoreKind | undefined {
  if (type === 'DatabaseInstance') return properties['role'] === 'primary' ? 'database' : undefined;
  if (type === 'CacheCluster') return properties['engine'] === 'redis' ? 'cache' : undefined;
  if (type === 'FileSystem' || type === 'Volume') return 'files';
  return type === 'Instance' && properties['group'] === null ? 'disk' : undefined;
}

const prefixes = /^(?:DatabaseInstance|CacheCluster|FileSystem|Volume|SpotInstance|Instance)/;

function storeIn(resource: DocumentResource): DeclaredStore[] {
  const { name, type } = resource;
  const kind = kindOf(resource);
  return kind === undefined
    ? []
    : [{ resource: name, resourceType: type, kind, name: storeNameIn(name, prefixes) }];
}

export const storesOf = ({ resources }: SandboxDocument): DeclaredStore[] => resources.flatMap(storeIn);

export function replacedStores({ before, after }: DocumentChange<SandboxDocument>): string[] {
  const stores = new Set(storesOf(before).map(({ resource }) => resource));
  return preview(before, after)
    .filter(({ action, resource }) => action === 'replace' && stores.has(resource))
    .map(({ resource }) => resource);
}

export const keptAs = ({ kind }: DeclaredStore): string =>
  kind === 'disk' ? '' : 'The sandbox takes a simulated final snapshot; "alm data list" shows it.';

/** The same resources, made from snapshots. */
export const restore = (
  document: SandboxDocument,
  references: ReadonlyMap<string, string>,
): SandboxDocument => ({
  ...document,
  resources: document.resources.map((resource) => {
    const restoredFrom = references.get(resource.name);
    if (restoredFrom === undefined) return resource;
    return { ...resource, properties: { ...resource.properties, restoredFrom } };
  }),
});

const sizeOf = ({ properties }: Resource): number | null => {
  const size = properties['storageGib'] ?? Object(properties['volume'])['sizeGib'];
  return typeof size === 'number' ? size : null;
};

export const observedStores = (stack: SandboxStack, now: number): ObservedStore[] =>
  resourceStatesAt(stack, now).flatMap(({ resource, state }) => {
    const [store] = storeIn(resource);
    const seen = { id: resource.id, usable: state !== 'creating', sizeGib: sizeOf(resource) };
    return store ? [{ ...store, ...seen }] : [];
  });

/** What is in a store: a new one has its own content, a restored one that of its snapshot. */
export const contentOf = ({ id, content }: Resource): string => content ?? id;

const snapshotOf = (resource: Resource, turn: string): string =>
  `snap-${createHash('sha256').update(`${turn} ${resource.id}`).digest('hex').slice(0, 17)}`;

/** By id: a release of a store that is gone says nothing about the next one of the same resource. */
const isReleased = ({ id }: Resource, releases: readonly Release[]): boolean =>
  releases.some(({ storeId, choice }) => storeId === id && choice === 'delete');

/** Takes a snapshot of what is deleted and holds data, unless a caller said otherwise. */
export function snapshotRemoved(steps: readonly Step[], releases: readonly Release[]): void {
  for (const step of steps) {
    const { action, resource, failure, turn } = step;
    const kind = kindOf(resource);
    if (action !== 'delete' || failure !== null || kind === undefined || kind === 'disk') continue;
    if (isReleased(resource, releases)) continue;
    const snapshot = snapshotOf(resource, turn);
    step.snapshot = snapshot;
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

export const snapshotsAt = ({ snapshots = [], steps }: SandboxStack, now: number): Snapshot[] => [
  ...snapshots,
  ...steps.flatMap(({ snapshot, resource, endsAt }) =>
    snapshot !== undefined && endsAt <= now
      ? [{ id: snapshot, storeId: resource.id, content: contentOf(resource), at: endsAt }]
      : [],
  ),
];

export const keptStores = (stack: SandboxStack, now: number): KeptStore[] =>
  snapshotsAt(stack, now).map(({ id, storeId, at }) => ({
    storeId,
    reference: id,
    where: `Simulated snapshot ${id} of the sandbox.`,
    since: at,
    until: null,
  }));
