import type { DocumentChange, RemovedData } from '../data.ts';
import type { DockerDocument, Service } from './document.ts';
import { onEngine } from './names.ts';

/** The warning of a preview when a volume is no longer used. */
export const keptWarning = 'It is kept with its data for some time. Using it again restores the data.';

/** Whether a volume holds a copy of other data: that of a replica. */
export const isCopy = ({ services }: DockerDocument, volume: string): boolean =>
  services.some((service) => service.volume === volume && service.role === 'replica');

const keptAs = (volume: string, keepDays: number): string => {
  const time = keepDays === 0 ? 'until the operator removes it' : `for ${keepDays} days`;
  return `The machine keeps its volume ${volume} ${time}; "almanac volumes list" shows it.`;
};

const isRedis = ({ engine, role }: Service): boolean => engine === 'redis' && role === 'primary';

/**
 * The data that an update, or null: the deletion of the stack, removes from it. Redis hands its data over to the next
 * container of its name: an older version of Almanac made it without a volume, and a cancelled update goes back to that.
 */
export function removedData(
  { stackId, before, after }: DocumentChange<DockerDocument>,
  keepDays: number,
): RemovedData[] {
  const used = new Set(after?.volumes);
  const names = new Set(after?.services.map(({ name }) => name));
  const handedOver = new Set(after?.services.filter(isRedis).map(({ name }) => name));
  const found = (resource: string, resourceType: string, kept: string): RemovedData => ({
    action: names.has(resource) ? 'replace' : 'remove',
    resource,
    resourceType,
    keptAs: kept,
  });
  const lost = before.services.filter((service) => isRedis(service) && !handedOver.has(service.name));
  const volumes = before.volumes.filter((volume) => !used.has(volume) && !isCopy(before, volume));
  return [
    ...volumes.flatMap((volume) => {
      const service = before.services.find((each) => each.volume === volume);
      if (service && isRedis(service) && !lost.includes(service)) return [];
      const kept = keptAs(onEngine(stackId, volume), keepDays);
      return [found(service?.name ?? volume, service ? typeOf(service) : 'Volume', kept)];
    }),
    ...lost.filter(({ volume }) => volume === null).map(({ name }) => found(name, 'CacheNode', '')),
  ];
}

const typeOf = ({ kind }: Service): string => (kind === 'database' ? 'DatabaseInstance' : 'CacheNode');
