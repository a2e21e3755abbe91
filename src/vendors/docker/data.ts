import type { DeclaredStore, DocumentChange, Keeping } from '../data.ts';
import { storeNameIn } from '../shared/store-names.ts';
import type { DockerDocument, Service } from './document.ts';
import { onEngine } from './names.ts';

/** Whether a volume holds a copy of other data: that of a replica. */
export const isCopy = ({ services }: DockerDocument, volume: string): boolean =>
  services.some((service) => service.volume === volume && service.role === 'replica');

/** A primary is its own store, also without a volume: an older version of Almanac made Redis so. */
export function storesOf(document: DockerDocument): DeclaredStore[] {
  const { services, volumes } = document;
  const inServices = new Set(services.map(({ volume }) => volume));
  return [
    ...services.filter(holdsData).map(
      ({ name, kind }): DeclaredStore => ({
        resource: name,
        resourceType: kind === 'database' ? 'DatabaseInstance' : 'CacheNode',
        kind,
        name: storeNameIn(name, /^(?:database|cache)-/),
      }),
    ),
    ...volumes
      .filter((volume) => !inServices.has(volume))
      .map(
        (volume): DeclaredStore => ({
          resource: volume,
          resourceType: 'Volume',
          kind: 'files',
          name: storeNameIn(volume, /^files-/),
        }),
      ),
  ];
}

const holdsData = ({ kind, engine, role }: Service): boolean =>
  role === 'primary' && (kind === 'database' || engine === 'redis');

/** Another volume is another, empty store. Redis hands its data over to the next container of its name. */
export function replacedStores({ before, after }: DocumentChange<DockerDocument>): string[] {
  const later = new Map(after.services.map((service) => [service.name, service]));
  return before.services
    .filter(holdsData)
    .filter(({ name, engine, volume }) => {
      const next = later.get(name);
      return next !== undefined && (engine === 'redis' ? next.engine !== 'redis' : next.volume !== volume);
    })
    .map(({ name }) => name);
}

export function keptAs({ stackId, store, document }: Keeping<DockerDocument>, keepDays: number): string {
  const service = document?.services.find(({ name }) => name === store.resource);
  if (service?.volume === null) return '';
  const time = keepDays === 0 ? 'until the operator removes it' : `for ${keepDays} days`;
  const volume = service ? onEngine(stackId, service.volume) : store.id;
  return `The machine keeps its volume ${volume} ${time}; "almanac volumes list" shows it.`;
}
