import { type Outcome, type Problem, reject, succeed } from '../../../basics/problem.ts';
import { bareType, type TypeSize, typeSize } from '../../shared/type-sizes.ts';
import type { ChosenFlavor } from '../choices.ts';
import type { Flavor } from './cloud-facts.ts';

export interface FlavorWish {
  /** As the document names it. */
  type: string;
  /** Where the document names it. */
  path: string;
  /** What the image needs. The disk does not matter to servers that boot from a volume. */
  minMemoryMib: number;
  minDiskGib: number;
  /** The choice of the version before. */
  before: ChosenFlavor | undefined;
}

interface FlavorOffer {
  flavors: readonly Flavor[];
  /** Flavors that the document names for types. */
  named: Readonly<Record<string, string>>;
}

export type PickedFlavor = ChosenFlavor & Pick<Flavor, 'diskGib'>;

/**
 * The flavor of a type: the one the document names for it, one of the same name, or the smallest that is not smaller. A
 * choice stays as long as the document asks for the same type.
 */
export function chooseFlavor(wish: FlavorWish, offer: FlavorOffer): Outcome<PickedFlavor> {
  const { type, before } = wish;
  const named = offer.named[type] ?? offer.named[bareType(type)];
  if (named !== undefined) return flavorNamed(named, wish, offer);
  const byName = (name: string) => offer.flavors.find((flavor) => flavor.name === name);
  if (before?.type === type) {
    const kept = byName(before.name);
    return kept ? succeed(pick(type, kept)) : reject([goneFlavor(before, wish, offer)]);
  }
  const same = byName(type) ?? byName(bareType(type));
  if (same) return succeed(pick(type, same));
  const size = typeSize(type);
  return size ? closest(wish, size, offer) : unknownType(wish, offer);
}

const pick = (type: string, { name, cpus, memoryMib, diskGib }: Flavor): PickedFlavor => ({
  type,
  name,
  cpus,
  memoryMib,
  diskGib,
});

function flavorNamed(name: string, { type }: FlavorWish, { flavors }: FlavorOffer): Outcome<PickedFlavor> {
  const found = flavors.find((flavor) => flavor.name === name || flavor.id === name);
  if (found) return succeed(pick(type, found));
  const message = `There is no flavor ${name}, which the document names for ${type}. Use one of ${listOf(flavors)}.`;
  return reject([{ path: 'vendorOptions/flavors', message }]);
}

/** Another flavor would restart the servers, or replace those that boot from its disk. */
const goneFlavor = (
  { name }: ChosenFlavor,
  { type, path }: FlavorWish,
  { flavors }: FlavorOffer,
): Problem => ({
  path,
  message: `Flavor ${name}, chosen for ${type} before, is no longer offered. Name another for ${type} as flavors in the vendor section, or use another type: the servers are restarted, or replaced if only one of the two flavors has a disk. Use one of ${listOf(flavors)}.`,
});

/** Flavors for special hardware, which nobody gets by accident. */
const special = /^(pci_passthrough:|trait:|accel:|resources:(VGPU|CUSTOM))/;
const isOrdinary = ({ isPublic, extraSpecs }: Flavor): boolean =>
  isPublic && !extraSpecs.some((key) => special.test(key));

const byNeed = (one: Flavor, other: Flavor): number =>
  one.cpus - other.cpus ||
  one.memoryMib - other.memoryMib ||
  one.diskGib - other.diskGib ||
  (one.name < other.name ? -1 : 1);

function closest(
  wish: FlavorWish,
  { cpus, memoryGib }: TypeSize,
  { flavors }: FlavorOffer,
): Outcome<PickedFlavor> {
  const ordinary = flavors.filter(isOrdinary).toSorted(byNeed);
  const memoryMib = Math.max(memoryGib * 1024, wish.minMemoryMib);
  const found = ordinary.find(
    (flavor) => flavor.cpus >= cpus && flavor.memoryMib >= memoryMib && fitsDisk(flavor, wish.minDiskGib),
  );
  if (found) return succeed(pick(wish.type, found));
  const largest = ordinary.at(-1);
  const most = largest ? ` The largest is ${largest.name} (${sizeText(largest)}).` : '';
  const needed = wish.minDiskGib > 0 ? ` and a disk of ${wish.minDiskGib} GiB` : '';
  const message = `No flavor has ${cpus} CPU, ${memoryMib / 1024} GiB${needed}, as ${wish.type} has.${most} Choose a smaller type.`;
  return reject([{ path: wish.path, message }]);
}

/** A flavor without a disk boots from a volume, which is as large as needed. */
const fitsDisk = ({ diskGib }: Flavor, minDiskGib: number): boolean => diskGib === 0 || diskGib >= minDiskGib;

const sizeText = ({ cpus, memoryMib }: Flavor): string =>
  `${cpus} CPU, ${Number((memoryMib / 1024).toFixed(1))} GiB`;

const maxListed = 30;
const listOf = (flavors: readonly Flavor[]): string =>
  flavors
    .map(({ name }) => name)
    .toSorted()
    .slice(0, maxListed)
    .join(', ');

const unknownType = ({ type, path }: FlavorWish, { flavors }: FlavorOffer): Outcome<never> =>
  reject([{ path, message: `Type ${type} is unknown here. Use one of ${listOf(flavors)}.` }]);
