import { at, type Problem } from '../../../basics/problem.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { hostLayers } from '../../shared/capacity.ts';
import { defaultTypes } from '../catalog.ts';
import type { Choices } from '../choices.ts';
import { guestLayers } from '../layout/placement.ts';
import { ownSubnets } from '../layout/reserve-subnets.ts';
import * as names from '../names.ts';
import type { Decided, DecideInput } from './decide-input.ts';

type Places = Record<string, string>;

/** Zones of all VSwitches. A VSwitch stays where it is. */
export function decidePlaces(input: DecideInput): Decided<Choices['places']> {
  const { model, kept } = input;
  const places: Places = {};
  for (const { flag, zone } of model.layers) {
    const known = zone ?? kept.places[names.subnet(flag)];
    if (known !== undefined) places[names.subnet(flag)] = known;
  }
  for (const layer of model.layers) places[names.subnet(layer.flag)] ??= pickZone(input, layer, places);
  for (const id of ownSubnets(model, kept.cidrs)) places[id] = kept.places[id] ?? ownZone(input, id, places);
  const problems = [...zoneProblems(input), ...standbyProblems(input, places)];
  return { value: places, problems };
}

/** A zone that a group names and does not have yet, or any that it does not have: groups are spread. It should sell the type. */
function pickZone(input: DecideInput, layer: Layer, places: Places): string {
  const { model, offer } = input;
  const guests = guestLayers(model, layer);
  const named = guests.flatMap(({ capacity }) => (capacity.kind === 'group' ? capacity.zones : []));
  const allowed = named.length > 0 ? named : offer.zones;
  const others = guests.flatMap((guest) => hostLayers(model, guest)).filter((host) => host !== layer);
  const used = new Set(others.map(({ flag }) => places[names.subnet(flag)]));
  const free = allowed.filter((zone) => !used.has(zone));
  const isSold = (zone: string): boolean => guests.every((guest) => sells(input, guest, zone));
  return free.find(isSold) ?? allowed.find(isSold) ?? free[0] ?? allowed[0] ?? '';
}

const sells = ({ offer }: DecideInput, { instanceType }: Layer, zone: string): boolean =>
  offer.instanceTypes.some(
    ({ name, zones }) =>
      zones.includes(zone) && (instanceType === null ? isDefault(name) : name === instanceType),
  );

const isDefault = (name: string): boolean => defaultTypes.some((type) => type === name);

/** The standby of a database is in another zone than the database. */
function ownZone({ offer: { zones } }: DecideInput, id: string, places: Places): string {
  const main = places[names.dataSubnet(1)];
  const [first = ''] = zones;
  return id === names.dataSubnet(2) ? (zones.find((zone) => zone !== main) ?? first) : first;
}

const standbyProblems = ({ model, offer }: DecideInput, places: Places): Problem[] =>
  places[names.dataSubnet(2)] === undefined || places[names.dataSubnet(2)] !== places[names.dataSubnet(1)]
    ? []
    : model.databases.flatMap(({ multiZone }, index) =>
        multiZone
          ? [
              {
                path: at('databases', index, 'multiZone'),
                message: `A standby needs a second zone, and ${model.region} has ${offer.zones.length}. Leave it out, or use another region.`,
              },
            ]
          : [],
      );

function zoneProblems({ model, offer }: DecideInput): Problem[] {
  const check = (zone: string, path: string): Problem[] =>
    offer.zones.includes(zone)
      ? []
      : [
          {
            path,
            message: `There is no zone ${zone} in ${model.region}. Use one of ${offer.zones.join(', ')}.`,
          },
        ];
  return model.layers.flatMap(({ zone, capacity }, index) => [
    ...(zone === null ? [] : check(zone, at('layers', index, 'zone'))),
    ...(capacity.kind === 'group'
      ? capacity.zones.flatMap((each, position) =>
          check(each, at('layers', index, 'capacity/zones', position)),
        )
      : []),
  ]);
}
