import type { Flavor, Image } from '../../../src/vendors/openstack/choose/cloud-facts.ts';
import type { Offer } from '../../../src/vendors/openstack/choose/offer.ts';

export const flavor = (name: string, [cpus, memoryGib, diskGib]: [number, number, number]): Flavor => ({
  id: `id-of-${name}`,
  name,
  cpus,
  memoryMib: memoryGib * 1024,
  diskGib,
  isPublic: true,
  extraSpecs: [],
});

export const image = (name: string, changes: Partial<Image> = {}): Image => ({
  id: `id-of-${name}`,
  name,
  isPublic: true,
  distribution: '',
  release: '',
  adminUser: '',
  createdAt: 0,
  minDiskGib: 0,
  minMemoryMib: 0,
  ...changes,
});

/** A cloud that has everything; always the same. */
export const fullOffer = (changes: Partial<Offer> = {}): Offer => ({
  services: new Set([
    'orchestration',
    'compute',
    'image',
    'network',
    'volumev3',
    'load-balancer',
    'database',
    'key-manager',
  ]),
  flavors: [
    flavor('m1.tiny', [1, 0.5, 1]),
    flavor('m1.small', [1, 2, 20]),
    flavor('m1.medium', [2, 4, 40]),
    flavor('m1.large', [4, 8, 80]),
  ],
  images: [image('cirros'), image('debian-12', { createdAt: 2 }), image('ubuntu-22.04', { createdAt: 1 })],
  keptImages: [],
  externalNetworks: [{ id: 'id-of-public', name: 'public' }],
  zones: { servers: ['nova'], volumes: ['nova'] },
  volumeTypes: ['ssd', 'hdd'],
  datastores: [
    { name: 'mysql', versions: ['8.0', '5.7'] },
    { name: 'postgresql', versions: ['14'] },
  ],
  certificates: [],
  quotas: {},
  ...changes,
});
