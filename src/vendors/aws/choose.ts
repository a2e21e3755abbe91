import { at, type Outcome, type Problem, reject, succeed } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { type Choices, nothingChosen } from './choices.ts';
import { chooseCertificates } from './choose/certificates.ts';
import { type StandingSubnets, standingSubnets } from './choose/existing-subnets.ts';
import { chooseImages } from './choose/images.ts';
import { readMachineImages } from './choose/machine-images.ts';
import {
  chooseZones,
  isStanding,
  offerProblems,
  type Place,
  placesOf,
  zoneProblems,
} from './choose/places.ts';
import { siblingsOf } from './choose/sibling-types.ts';
import { chooseSubnets } from './choose/subnets.ts';
import { type Offerings, readArchitectures, readOfferings } from './choose/types.ts';
import type { AwsDocument } from './document.ts';
import { isAboutAccess, sentenceOf } from './errors.ts';
import { openQuestions } from './layout/open-questions.ts';
import { regionProblems } from './layout/zone.ts';
import type { Region } from './region.ts';

/** Asks AWS what the model leaves open and was not decided before, and nothing else. */
export async function chooseFor(
  region: Region,
  model: StackModel,
  before: AwsDocument | null,
): Promise<Outcome<Choices>> {
  // A region there is not has no address to ask at.
  const nowhere = regionProblems(model.region);
  if (nowhere.length > 0) return reject(nowhere);
  try {
    return await choose(region, model, before);
  } catch (cause) {
    if (!isAboutAccess(cause)) throw cause;
    return reject([{ path: 'vendor', message: sentenceOf(cause) }]);
  }
}

async function choose(
  region: Region,
  model: StackModel,
  before: AwsDocument | null,
): Promise<Outcome<Choices>> {
  const kept: Choices = { ...nothingChosen, ...before?.choices };
  const standing = standingSubnets(model, before);
  const asked = openQuestions(model);
  const { places, types, zones, problems } = await choosePlaces(region, model, kept, standing);
  const withoutImage = places.filter(({ flag }) => asked.imagesOf.some((open) => open.flag === flag));
  const { images, ...image } = await chooseImages(region, withoutImage, types.architectures, kept.images);
  const { machineImages, ...machine } = await readMachineImages(region, {
    model,
    images,
    architectures: types.architectures,
    before: kept.machineImages,
  });
  const domains = asked.domains.toSorted();
  const { certificates, ...certificate } = await chooseCertificates(
    region,
    model,
    domains,
    kept.certificates,
  );
  const subnets = chooseSubnets(model, { zones, cidrs: kept.cidrs }, standing);
  const all = [...problems, ...image.problems, ...machine.problems, ...certificate.problems];
  if (!subnets.ok) return reject([...all, ...subnets.problems]);
  if (all.length > 0) return reject(all);
  return succeed({ ...kept, zones, images, ...types, machineImages, certificates, ...subnets.value });
}

/** Types and zones belong together: a type is not to be had everywhere. */
async function choosePlaces(region: Region, model: StackModel, kept: Choices, standing: StandingSubnets) {
  const asked = openQuestions(model);
  const places = placesOf(model, standing);
  const unknown = asked.types.filter((type) => !kept.architectures[type]);
  const candidates = asked.spotTypes.filter((type) => !kept.siblings[type]).flatMap(siblingsOf);
  // Also of a type that was known, where the layer is new or was moved.
  const open = places.filter((place) => unknown.includes(place.type) || !isStanding(standing, place));
  const found = await readArchitectures(region, [...unknown, ...candidates]);
  const offerings = await readOfferings(region, [...open.map(({ type }) => type), ...candidates]);
  const zones = await chooseZones(region, model, kept.zones, offerings);
  const architectures = recordOf(asked.types, (type) => kept.architectures[type] ?? found.get(type));
  const fits = (type: string, other: string): boolean =>
    found.get(other) === architectures[type] &&
    places.filter((place) => place.type === type).every((place) => isOffered(offerings, other, place, zones));
  const siblings = recordOf(
    asked.spotTypes,
    (type) => kept.siblings[type] ?? siblingsOf(type).filter((other) => fits(type, other)),
  );
  const problems = [
    ...places.filter(({ type }) => !architectures[type]).map((place) => unknownType(region, place)),
    ...zoneProblems(region, model, zones),
    ...offerProblems(open, zones, offerings),
  ];
  return { places, types: { architectures, siblings }, zones, problems };
}

const isOffered = (offerings: Offerings, type: string, { zone }: Place, zones: readonly string[]): boolean =>
  offerings.get(type)?.has(zone ?? zones[0] ?? '') ?? false;

const unknownType = ({ name }: Region, { path, type }: Place): Problem => ({
  path: at(path, 'instanceType'),
  message: `There is no instance type ${type} in ${name} that runs Linux on x86_64 or arm64. Name another one.`,
});

/** In the order of the names, so that the same choices are written in the same way. */
function recordOf<T>(names: readonly string[], valueOf: (name: string) => T | undefined): Record<string, T> {
  const values: Record<string, T> = {};
  for (const name of names.toSorted()) {
    const value = valueOf(name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
