import type { Clock } from '../../../basics/clock.ts';
import { RecentMap } from '../../shared/recent-map.ts';
import { Sequence, SharedRead } from '../../shared/shared-read.ts';
import type { Architecture } from '../choices.ts';
import type { CloudFacts, InstanceType } from '../choose/cloud-facts.ts';
import type { Clients } from '../clients.ts';
import { readCertificates } from './certificates.ts';
import { readImages, readSystemImage } from './images.ts';
import { readInstanceTypes, readZones, readZonesByType } from './servers.ts';

/** What a cloud offers changes seldom. */
const keptMs = 300_000;

/** What a cloud has in the region of the clients. Callers share the reads. */
export function readFacts(clients: Clients, clock: Clock): CloudFacts {
  const sequence = new Sequence();
  const kept = <T>(read: () => Promise<T>): (() => Promise<T>) => {
    const shared = new SharedRead(clock, sequence, read);
    return async () => (await shared.get(keptMs)).value;
  };
  const types = new RecentMap<() => Promise<readonly InstanceType[]>>(clock);
  /** Most layers ask for the same types. */
  const typesNamed = (names: readonly string[]): Promise<readonly InstanceType[]> => {
    const key = names.toSorted().join(' ');
    const known = types.get(key) ?? kept(async () => readInstanceTypes(clients, names, await zonesByType()));
    types.set(key, known);
    return known();
  };
  const zonesByType = kept(() => readZonesByType(clients));
  const systemImages: Record<Architecture, CloudFacts['systemImage']> = {
    x86_64: kept(() => readSystemImage(clients, 'x86_64')),
    arm64: kept(() => readSystemImage(clients, 'arm64')),
  };
  return {
    zones: kept(() => readZones(clients)),
    instanceTypes: typesNamed,
    systemImage: (architecture) => systemImages[architecture](architecture),
    images: (ids) => readImages(clients, ids),
    certificates: () => readCertificates(clients),
  };
}
