import { at, type Outcome, type Problem, reject, succeed } from '../../../basics/problem.ts';
import type { Cache, Layer } from '../../../model/stack-model.ts';
import { hasServers } from '../../shared/layers.ts';
import { catalog } from '../catalog.ts';
import type { ChosenFlavor, ChosenServer, ChosenVolume } from '../choices.ts';
import type { Dialect } from '../dialect.ts';
import { zoneOfLayer } from '../layout/zones.ts';
import type { Image } from './cloud-facts.ts';
import type { DecideInput } from './decide-input.ts';
import { chooseFlavor, type PickedFlavor } from './flavors.ts';
import { chooseImage, sshUserOf } from './images.ts';
import type { Offer } from './offer.ts';
import { decideZone } from './places.ts';

interface ServerWish {
  type: string;
  typePath: string;
  asked: string | null;
  imagePath: string;
  /** Where the document names the size of the volume. */
  volumePath: string;
  volume: Layer['volume'];
  /** The least size of a volume for its data; undefined: it never has any. */
  dataGib: (flavor: ChosenFlavor) => number | undefined;
  /** Of its servers; empty: none. */
  zone: string;
  before: ChosenServer | undefined;
  /** What can be done if the image of the version before is gone. */
  withoutImage: string;
}

interface Before {
  kept: ChosenServer | undefined;
  zone: string;
}

const layerWish = (layer: Layer, path: string, { kept, zone }: Before): ServerWish => ({
  type: layer.instanceType ?? catalog.defaultInstanceType,
  typePath: at(path, 'instanceType'),
  asked: layer.machineImage,
  imagePath: at(path, 'machineImage'),
  volumePath: at(path, 'volume'),
  volume: layer.volume,
  dataGib: () => layer.volume.sizeGib ?? catalog.defaultVolumeGib,
  zone,
  before: kept,
  withoutImage:
    'Name another image here: the servers are rebuilt from it, and what is only on their disks is lost.',
});

/** Redis rewrites its file of commands into a second one. */
const redisGib = ({ memoryMib }: ChosenFlavor): number =>
  Math.max(catalog.defaultVolumeGib, 2 * Math.ceil(memoryMib / 1024));

const cacheWish = ({ nodeType, engine }: Cache, path: string, { kept, zone }: Before): ServerWish => ({
  type: nodeType,
  typePath: at(path, 'nodeType'),
  asked: null,
  imagePath: at(path, 'engine'),
  volumePath: at(path, 'nodeType'),
  volume: { type: null, sizeGib: null },
  dataGib: (flavor) => (engine === 'redis' ? redisGib(flavor) : undefined),
  zone,
  before: kept,
  withoutImage: 'Give the cache another name: a new one is made, without its data.',
});

/** The choices of a part of the model, by name, and the problems of those that could not be made. */
export interface Decided<Choice> {
  chosen: Record<string, Choice>;
  problems: Problem[];
}

const collect = <Choice>(outcomes: readonly [name: string, outcome: Outcome<Choice>][]): Decided<Choice> => ({
  chosen: Object.fromEntries(
    outcomes.flatMap(([name, outcome]) => (outcome.ok ? [[name, outcome.value]] : [])),
  ),
  problems: outcomes.flatMap(([, outcome]) => (outcome.ok ? [] : outcome.problems)),
});

export const decideLayers = (input: DecideInput): Decided<ChosenServer> =>
  collect(
    input.model.layers.flatMap((layer, index): [string, Outcome<ChosenServer>][] =>
      hasServers(layer)
        ? [
            [
              layer.flag,
              decideServer(
                layerWish(layer, at('layers', index), {
                  kept: input.kept.servers[layer.flag],
                  zone: zoneOfLayer(input.dialect, decideZone(input), layer),
                }),
                input,
              ),
            ],
          ]
        : [],
    ),
  );

export const decideCaches = (input: DecideInput): Decided<ChosenServer> =>
  collect(
    input.model.caches.map((cache, index): [string, Outcome<ChosenServer>] => [
      cache.name,
      decideServer(
        cacheWish(cache, at('caches', index), {
          kept: input.kept.caches[cache.name],
          zone: decideZone(input),
        }),
        input,
      ),
    ]),
  );

function decideServer(wish: ServerWish, input: DecideInput): Outcome<ChosenServer> {
  const { offer, dialect, model } = input;
  const { before, volume, asked } = wish;
  const askedImage = asked ?? '';
  const image = chooseImage(
    {
      asked,
      path: wish.imagePath,
      before: before?.askedImage === askedImage ? before.image : undefined,
      remedy: wish.withoutImage,
    },
    offer,
  );
  const ownVolume = volume.sizeGib !== null || volume.type !== null || dialect.bootsFromVolume;
  const { minMemoryMib = 0, minDiskGib = 0 } = image.ok ? image.value : {};
  const flavor = chooseFlavor(
    {
      type: wish.type,
      path: wish.typePath,
      minMemoryMib,
      minDiskGib: ownVolume ? 0 : minDiskGib,
      before: before?.flavor,
    },
    { flavors: offer.flavors, named: model.vendorOptions?.flavors ?? {} },
  );
  if (!image.ok || !flavor.ok)
    return reject([...(image.ok ? [] : image.problems), ...(flavor.ok ? [] : flavor.problems)]);
  const disk = diskOf(wish, { flavor: flavor.value, image: image.value, offer, ownVolume });
  if (!disk.ok) return disk;
  const { diskGib: _, ...chosen } = flavor.value;
  return succeed({
    flavor: chosen,
    image: image.value.id,
    askedImage,
    sshUser: sshUserOf(image.value),
    volume: disk.value,
    ...dataOf(wish, chosen, input),
  });
}

/** Existing servers whose script mounts no volume keep their data where it is. A volume never shrinks. */
function dataOf(
  wish: ServerWish,
  flavor: ChosenFlavor,
  { offer, dialect }: DecideInput,
): Pick<ChosenServer, 'data'> {
  const { before } = wish;
  const leastGib = wish.dataGib(flavor);
  const isPossible = before ? before.data !== undefined : hasDataVolumes(dialect, offer);
  if (leastGib === undefined || !isPossible) return {};
  const sizeGib = Math.max(leastGib, before?.data?.sizeGib ?? 0);
  return { data: { sizeGib, ...volumePlace({ ...wish, before: before?.data }, offer) } };
}

const hasDataVolumes = ({ ownServices }: Dialect, { services }: Offer): boolean =>
  !ownServices && services.has('volumev3');

interface DiskInput {
  flavor: PickedFlavor;
  image: Image;
  offer: Offer;
  ownVolume: boolean;
}

function diskOf(
  wish: ServerWish,
  { flavor, image, offer, ownVolume }: DiskInput,
): Outcome<ChosenServer['volume']> {
  const { volume, volumePath, before } = wish;
  if (!ownVolume && flavor.diskGib > 0) return succeed(null);
  if (!offer.services.has('volumev3'))
    return reject([
      {
        path: volumePath,
        message: 'The cloud has no block storage. Leave out the volume, and use a flavor with a disk.',
      },
    ]);
  const least = Math.max(catalog.defaultVolumeGib, image.minDiskGib);
  const sizeGib = volume.sizeGib ?? before?.volume?.sizeGib ?? least;
  if (sizeGib < image.minDiskGib) {
    const message = `Image ${image.name} needs ${image.minDiskGib} GiB, more than the volume has. Use a larger one.`;
    return reject([{ path: at(volumePath, 'sizeGib'), message }]);
  }
  return succeed({ sizeGib, ...volumePlace({ ...wish, before: before?.volume ?? undefined }, offer) });
}

/** A type that the cloud does not have is its default. Volumes have zones of their own; one with another name would be rejected. */
function volumePlace(
  { volume, zone, before: kept }: Pick<ServerWish, 'volume' | 'zone'> & { before: ChosenVolume | undefined },
  { volumeTypes, zones }: Offer,
): Omit<ChosenVolume, 'sizeGib'> {
  const askedType = volume.type ?? '';
  const keepsType = kept && (volume.type === null || kept.askedType === askedType);
  const offered = { type: volumeTypes.includes(askedType), zone: zones.volumes.includes(zone) };
  return {
    type: keepsType ? kept.type : offered.type ? askedType : '',
    askedType,
    zone: kept?.askedZone === zone ? kept.zone : offered.zone ? zone : '',
    askedZone: zone,
  };
}
