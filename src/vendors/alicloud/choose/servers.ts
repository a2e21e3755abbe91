import { at, type Outcome, reject, succeed } from '../../../basics/problem.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { hostLayers } from '../../shared/capacity.ts';
import { hasServers } from '../../shared/layers.ts';
import { defaultTypes } from '../catalog.ts';
import type { Choices, ChosenServer } from '../choices.ts';
import { foreignTypeMessage, siblingsOf } from '../layout/instance-types.ts';
import * as names from '../names.ts';
import type { InstanceType } from './cloud-facts.ts';
import type { Decided, DecideInput } from './decide-input.ts';
import { chooseImage } from './images.ts';

/** `places`: zones of VSwitches. */
export function decideServers(input: DecideInput, places: Choices['places']): Decided<Choices['servers']> {
  const value: Record<string, ChosenServer> = {};
  const problems = input.model.layers.flatMap((layer, index) => {
    if (!hasServers(layer)) return [];
    const zones = hostLayers(input.model, layer).map(({ flag }) => places[names.subnet(flag)] ?? '');
    const outcome = decideServer(input, { layer, zones: [...new Set(zones)], path: at('layers', index) });
    if (outcome.ok) value[layer.flag] = outcome.value;
    return outcome.ok ? [] : [...outcome.problems];
  });
  return { value, problems };
}

interface Wish {
  layer: Layer;
  /** The zones in which its servers may run. */
  zones: readonly string[];
  path: string;
}

function decideServer(input: DecideInput, wish: Wish): Outcome<ChosenServer> {
  const { layer, path } = wish;
  const before = input.kept.servers[layer.flag];
  const type = chooseType(input, wish, before);
  if (!type.ok) return type;
  const { name, architecture } = type.value;
  const askedImage = layer.machineImage ?? '';
  const isSame = before?.askedImage === askedImage && before.architecture === architecture;
  const image = chooseImage(
    {
      asked: layer.machineImage,
      path: at(path, 'machineImage'),
      type: name,
      architecture,
      before: isSame ? before.image : undefined,
    },
    input,
  );
  const siblings = chooseSiblings(input, wish, { type: type.value, before });
  if (!image.ok || !siblings.ok)
    return reject([...(image.ok ? [] : image.problems), ...(siblings.ok ? [] : siblings.problems)]);
  return succeed({ type: name, siblings: siblings.value, architecture, image: image.value, askedImage });
}

const sellsIn = (zones: readonly string[]) => (type: InstanceType) =>
  zones.every((zone) => type.zones.includes(zone));

const usesSpot = ({ capacity }: Layer): boolean => capacity.kind === 'group' && capacity.spotPercent > 0;

/** A type that servers already have is not checked again: it may be sold out at the moment. */
function chooseType(
  { offer, model }: DecideInput,
  { layer, zones, path }: Wish,
  before: ChosenServer | undefined,
): Outcome<InstanceType> {
  const refuse = (message: string): Outcome<never> => reject([{ path: at(path, 'instanceType'), message }]);
  const named = (name: string) => offer.instanceTypes.find((type) => type.name === name);
  // A group changes its type for new servers only, so that it may have another one as soon as it needs siblings.
  const isUsable = (name: string): boolean => !usesSpot(layer) || siblingsOf(name).length > 0;
  const asked = layer.instanceType ?? (before && isUsable(before.type) ? before.type : undefined);
  if (asked === undefined) {
    const usable = defaultTypes.filter(isUsable);
    const found = usable.flatMap((name) => named(name) ?? []).find(sellsIn(zones));
    return found
      ? succeed(found)
      : refuse(`${zones.join(', ')} sells none of ${usable.join(', ')}. Name an instance type.`);
  }
  const foreign = foreignTypeMessage(asked);
  if (foreign !== undefined) return refuse(foreign);
  const type = named(asked);
  if (before?.type === asked)
    return succeed(
      type ?? { name: asked, cpus: 0, memoryGib: 0, architecture: before.architecture, zones: [] },
    );
  if (!type) return refuse(`There is no instance type ${asked} in ${model.region}. Use another one.`);
  if (sellsIn(zones)(type)) return succeed(type);
  const elsewhere = type.zones.length > 0 ? `, only in ${type.zones.join(', ')}` : '';
  return refuse(`${asked} is not on sale in ${zones.join(', ')}${elsewhere}. Use another type or zone.`);
}

interface TypeChoice {
  type: InstanceType;
  before: ChosenServer | undefined;
}

/** Spot servers need a second type. */
function chooseSiblings(
  { offer }: DecideInput,
  { layer, zones, path }: Wish,
  { type, before }: TypeChoice,
): Outcome<readonly string[]> {
  if (!usesSpot(layer)) return succeed([]);
  if (before?.type === type.name && before.siblings.length > 0) return succeed(before.siblings);
  const candidates = siblingsOf(type.name);
  const found = offer.instanceTypes
    .filter(({ name }) => candidates.includes(name))
    .filter((other) => other.cpus === type.cpus && other.memoryGib === type.memoryGib)
    .filter((other) => other.architecture === type.architecture)
    .filter(sellsIn(zones))
    .map(({ name }) => name);
  if (found.length > 0) return succeed(found.toSorted());
  const message = `Spot servers need a second instance type of the same size as ${type.name}, and ${zones.join(', ')} sells none. Use a type such as ecs.g7.large, or no spot servers.`;
  return reject([{ path: at(path, 'capacity/spotPercent'), message }]);
}
