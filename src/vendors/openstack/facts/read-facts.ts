import type { Clock } from '../../../basics/clock.ts';
import { Sequence, SharedRead } from '../../shared/shared-read.ts';
import type { CloudFacts } from '../choose/cloud-facts.ts';
import type { Client } from '../client.ts';
import { readServices } from './catalog.ts';
import { readCertificates, readDatastores, readExternalNetworks, readVolumeTypes } from './offers.ts';
import { readQuotas } from './quotas.ts';
import { readFlavors, readImage, readImages, readZones } from './servers.ts';

/** What a cloud offers changes seldom; what a project uses changes all the time. */
const keptMs = 300_000;

/** What a cloud has in the region of a client. Callers share the reads. */
export function readFacts(client: Client, clock: Clock): CloudFacts {
  const sequence = new Sequence();
  const kept = <T>(read: (client: Client) => Promise<T>): (() => Promise<T>) => {
    const shared = new SharedRead(clock, sequence, () => read(client));
    return async () => (await shared.get(keptMs)).value;
  };
  return {
    regions: async () => (await client.session()).regions,
    services: () => readServices(client),
    flavors: kept(readFlavors),
    images: kept(readImages),
    image: (id) => readImage(client, id),
    externalNetworks: kept(readExternalNetworks),
    zones: kept(readZones),
    volumeTypes: kept(readVolumeTypes),
    datastores: kept(readDatastores),
    certificates: kept(readCertificates),
    quotas: () => readQuotas(client),
  };
}
