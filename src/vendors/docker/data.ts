import { storeName } from '../../model/names.ts';
import type { DeclaredStore, DocumentChange, Keeping } from '../data.ts';
import type { DockerDocument } from './document.ts';
import { onEngine } from './names.ts';

const services = /^((database|cache)-([a-z0-9]+))-[a-z]+$/;
const files = /^(?:files-([a-z0-9]+)|storage-([a-z0-9]+)-\d+)$/;

/** The store in a volume of a stack, from its name alone: a volume may outlive the document that declared it. Replicas have none. */
export function storeIn(volume: string): DeclaredStore | undefined {
  const [, resource = '', kind, name = ''] = services.exec(volume) ?? [];
  if (kind === 'database') return { resource, resourceType: 'DatabaseInstance', kind, name };
  if (kind === 'cache') return { resource, resourceType: 'CacheNode', kind, name };
  const [, id, flag] = files.exec(volume) ?? [];
  const owner = id ?? flag;
  return owner === undefined
    ? undefined
    : { resource: volume, resourceType: 'Volume', kind: 'files', name: owner };
}

/** The servers outside groups, by their slots: each has a disk of its own. */
const fixedServers = ({ fleets }: DockerDocument): { slot: string; flag: string; hash: string }[] =>
  fleets.flatMap(({ inGroup, flag, hash, slots }) =>
    inGroup ? [] : slots.map(({ name }) => ({ slot: name, flag, hash })),
  );

export const diskOf = (slot: string, flag: string): DeclaredStore => ({
  resource: slot,
  resourceType: 'Instance',
  kind: 'disk',
  name: storeName(flag),
});

export const storesOf = (document: DockerDocument): DeclaredStore[] => [
  ...document.volumes.flatMap((volume) => storeIn(volume) ?? []),
  ...fixedServers(document).map(({ slot, flag }) => diskOf(slot, flag)),
];

/** The volume, or the container, that holds the data of each store. */
const holdersIn = (document: DockerDocument): ReadonlyMap<string, string> =>
  new Map([
    ...document.volumes.flatMap((volume) => {
      const store = storeIn(volume);
      return store ? [[store.resource, volume] as const] : [];
    }),
    ...fixedServers(document).map(({ slot, hash }) => [slot, hash] as const),
  ]);

/** Another volume is another store, and so is another container for a disk. */
export function replacedStores({ before, after }: DocumentChange<DockerDocument>): string[] {
  const later = holdersIn(after);
  return [...holdersIn(before)]
    .filter(([resource, holder]) => later.has(resource) && later.get(resource) !== holder)
    .map(([resource]) => resource);
}

const idMark = '@';

/** A volume's name can return with another volume; the id cannot. Volumes of earlier builds have only their name. */
export const volumeId = (volume: string, random: string | undefined): string =>
  random === undefined ? volume : `${volume}${idMark}${random}`;

export function keptAs({ store }: Keeping<DockerDocument>, keepDays: number): string {
  if (store.kind === 'disk') return '';
  const [volume] = store.id.split(idMark);
  const time = keepDays === 0 ? 'until the operator removes it' : `for ${keepDays} days`;
  return `The machine keeps its volume ${volume} ${time}; "almanac volumes list" shows it. A rollback in that time uses it again, with its data.`;
}

/** Volumes begin with the data of kept ones. A volume that exists stays as it is. */
export function restore(document: DockerDocument, references: ReadonlyMap<string, string>): DockerDocument {
  const restored = document.volumes.flatMap((volume) => {
    const reference = references.get(storeIn(volume)?.resource ?? '');
    return reference === undefined ? [] : [[volume, reference] as const];
  });
  return { ...document, restored: { ...document.restored, ...Object.fromEntries(restored) } };
}

/** A newer document of a stack whose volumes are not all made yet: they are still made from the same data. */
export function stillRestored(document: DockerDocument, before: DockerDocument | undefined): DockerDocument {
  const all = { ...before?.restored, ...document.restored };
  const restored = Object.entries(all).filter(([volume]) => document.volumes.includes(volume));
  return restored.length === 0 ? document : { ...document, restored: Object.fromEntries(restored) };
}

/** What a volume is to be a copy of; undefined: it begins empty, or it is that volume. */
export function sourceOf({ restored }: DockerDocument, stackId: string, volume: string): string | undefined {
  const source = restored?.[volume];
  return source === onEngine(stackId, volume) ? undefined : source;
}
