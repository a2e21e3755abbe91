import type { Outcome } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { isEncrypted } from '../shared/listeners.ts';
import { typeSize } from '../shared/type-sizes.ts';
import { catalog, databaseEngines, defaultDatabaseType } from './catalog.ts';
import { type Choices, nothingChosen } from './choices.ts';
import type { Flavor, Image } from './choose/cloud-facts.ts';
import { decide } from './choose/decide.ts';
import type { Offer } from './choose/offer.ts';
import { type DialectName, dialects } from './dialect.ts';

/** The choices of a cloud that has everything the model names. */
export const assume = (model: StackModel, dialect: DialectName): Outcome<Choices> =>
  decide({ model, offer: offerFor(model), kept: nothingChosen, dialect: dialects[dialect] });

const offerFor = (model: StackModel): Offer => ({
  services: new Set([
    'orchestration',
    'compute',
    'image',
    'network',
    'volumev3',
    'load-balancer',
    'database',
    'key-manager',
    'object-store',
  ]),
  flavors: typesIn(model).flatMap((type) => flavorsFor(type, model)),
  images: ['debian', ...model.layers.flatMap(({ machineImage }) => machineImage ?? [])].map(imageNamed),
  keptImages: [],
  externalNetworks: [externalNetwork(model)],
  zones: { servers: zonesIn(model), volumes: zonesIn(model) },
  volumeTypes: model.layers.flatMap(({ volume }) => volume.type ?? []),
  datastores: Object.values(databaseEngines).map(({ datastore: name }) => ({
    name,
    versions: ['newest', ...model.databases.flatMap(({ engineVersion }) => engineVersion ?? [])],
  })),
  certificates: domainsIn(model).map((name) => ({ name, reference: name })),
  quotas: {},
});

const typesIn = ({ layers, databases, caches }: StackModel): string[] => [
  ...new Set([
    ...layers.map(({ instanceType }) => instanceType ?? catalog.defaultInstanceType),
    ...databases.map(({ instanceType }) => instanceType ?? defaultDatabaseType),
    ...caches.map(({ nodeType }) => nodeType),
  ]),
];

/** A type of unknown size can only be the name of a flavor. With a disk, so that servers need no volumes. */
function flavorsFor(type: string, { vendorOptions }: StackModel): Flavor[] {
  const size = typeSize(type);
  const names = [size ? 'the smallest flavor that fits' : type, vendorOptions?.flavors[type] ?? ''];
  return names
    .filter((name) => name !== '')
    .map((name) => ({
      id: name,
      name,
      cpus: size?.cpus ?? 1,
      memoryMib: (size?.memoryGib ?? 1) * 1024,
      diskGib: 100,
      isPublic: true,
      extraSpecs: [],
    }));
}

const imageNamed = (name: string): Image => ({
  id: name,
  name,
  isPublic: true,
  distribution: '',
  release: '',
  adminUser: '',
  createdAt: 0,
  minDiskGib: 0,
  minMemoryMib: 0,
});

const externalNetwork = ({ vendorOptions }: StackModel) => {
  const name = vendorOptions?.externalNetwork ?? 'public';
  return { id: name, name };
};

const zonesIn = ({ layers }: StackModel): string[] => [
  ...new Set([
    ...layers.flatMap(({ zone, capacity }) => [
      ...(zone === null ? [] : [zone]),
      ...(capacity.kind === 'group' ? capacity.zones : []),
    ]),
    'nova',
  ]),
];

const domainsIn = ({ layers }: StackModel): string[] =>
  layers
    .flatMap(({ loadBalancer }) => loadBalancer?.listeners ?? [])
    .filter(isEncrypted)
    .flatMap(({ certificateDomain }) => certificateDomain ?? []);
