import { entryOf } from '../../basics/entry-of.ts';
import { at, type Outcome, type Problem, reject, succeed } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { type Choices, nothingChosen } from './choices.ts';
import { chooseCertificates } from './choose/certificates.ts';
import { type ExistingSubnets, existingSubnets } from './choose/existing-subnets.ts';
import { chooseImages } from './choose/images.ts';
import { readMachineImages } from './choose/machine-images.ts';
import { askForServices } from './choose/offers.ts';
import {
  chooseZones,
  isUnmoved,
  offerProblems,
  type Place,
  placesOf,
  zoneProblems,
} from './choose/places.ts';
import { askForRegion } from './choose/regions.ts';
import { siblingsOf } from './choose/sibling-types.ts';
import { chooseSubnets } from './choose/subnets.ts';
import { readArchitectures, readOfferings } from './choose/types.ts';
import type { AwsDocument } from './document.ts';
import { errorMessage, isAccessError } from './errors.ts';
import { disksIn } from './layout/disks.ts';
import { openQuestions } from './layout/open-questions.ts';
import { regionProblems } from './layout/zone.ts';
import type { Region } from './region.ts';

/** Resolves the choices a model leaves open. Reads from AWS only what was not decided before. */
export async function chooseFor(
  region: Region,
  model: StackModel,
  before: AwsDocument | null,
): Promise<Outcome<Choices>> {
  const invalidRegion = regionProblems(model.region);
  if (invalidRegion.length > 0) return reject(invalidRegion);
  try {
    // The region of an existing stack is enabled.
    const asked = before ? { problems: [], notes: [] } : await askForRegion(region.home(), model.region);
    if (asked.problems.length > 0) return reject(asked.problems);
    const chosen = await choose(region, model, before);
    return chosen.ok ? succeed({ ...chosen.value, notes: [...asked.notes, ...chosen.value.notes] }) : chosen;
  } catch (cause) {
    if (!isAccessError(cause)) throw cause;
    return reject([{ path: 'vendor', message: errorMessage(cause) }]);
  }
}

async function choose(
  region: Region,
  model: StackModel,
  before: AwsDocument | null,
): Promise<Outcome<Choices>> {
  const kept: Choices = { ...nothingChosen, ...before?.choices, disks: before ? disksIn(before) : {} };
  const existing = existingSubnets(model, before);
  const open = openQuestions(model);
  const { places, types, zones, offerings, problems } = await choosePlaces(region, { model, kept, existing });
  const { images, ...image } = await chooseImages(region, {
    places: places.filter(({ flag }) => open.imagesOf.some((layer) => layer.flag === flag)),
    architectures: types.architectures,
    before: kept.images,
  });
  const { machineImages, ...machine } = await readMachineImages(region, {
    model,
    images,
    architectures: types.architectures,
    before: kept.machineImages,
  });
  const domains = open.domains.toSorted();
  const [{ certificates, ...certificate }, { offered, ...services }] = await Promise.all([
    chooseCertificates(region, { model, domains, before: kept.certificates }),
    askForServices(region, model, kept),
  ]);
  const subnets = chooseSubnets(model, { ...kept, zones }, { existing, offerings });
  const all = [problems, image.problems, machine.problems, certificate.problems, services.problems].flat();
  if (!subnets.ok) return reject([...all, ...subnets.problems]);
  if (all.length > 0) return reject(all);
  const notes = [...certificate.notes, ...services.notes];
  const chosen = { zones, images, ...types, machineImages, certificates, offered, notes };
  return succeed({ ...kept, ...chosen, ...subnets.value });
}

interface PlacesInput {
  model: StackModel;
  kept: Choices;
  existing: ExistingSubnets;
}

/** Chooses types and zones together: not every zone offers every type. */
async function choosePlaces(region: Region, { model, kept, existing }: PlacesInput) {
  const open = openQuestions(model);
  const places = placesOf(model, existing);
  const unknown = open.types.filter((type) => !entryOf(kept.architectures, type));
  const candidates = open.spotTypes.filter((type) => !entryOf(kept.siblings, type)).flatMap(siblingsOf);
  // Includes known types whose layer is new or was moved.
  const unchecked = places.filter((place) => unknown.includes(place.type) || !isUnmoved(existing, place));
  const found = await readArchitectures(region, [...unknown, ...candidates]);
  const offerings = await readOfferings(region, [...unchecked.map(({ type }) => type), ...candidates]);
  const zones = await chooseZones(region, { model, before: kept.zones, offerings });
  const architectures = recordOf(open.types, (type) => entryOf(kept.architectures, type) ?? found.get(type));
  const isOffered = (type: string, { zone }: Place): boolean =>
    offerings.get(type)?.has(zone ?? zones[0] ?? '') ?? false;
  const fits = (type: string, other: string): boolean =>
    found.get(other) === architectures[type] &&
    places.filter((place) => place.type === type).every((place) => isOffered(other, place));
  const siblings = recordOf(
    open.spotTypes,
    (type) => kept.siblings[type] ?? siblingsOf(type).filter((other) => fits(type, other)),
  );
  const problems = [
    ...places.filter(({ type }) => !architectures[type]).map((place) => unknownType(region, place)),
    ...zoneProblems(region, model, zones),
    ...offerProblems(unchecked, zones, offerings),
  ];
  return { places, types: { architectures, siblings }, zones, offerings, problems };
}

const unknownType = ({ name }: Region, { path, type }: Place): Problem => ({
  path: at(path, 'instanceType'),
  message: `Instance type ${type} is not available in ${name}, or does not run Linux on x86_64 or arm64. Choose another type.`,
});

/** Sorted by name, so that equal choices have the same JSON. */
function recordOf<T>(names: readonly string[], valueOf: (name: string) => T | undefined): Record<string, T> {
  const values: Record<string, T> = {};
  for (const name of names.toSorted()) {
    const value = valueOf(name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
