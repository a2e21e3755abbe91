import { at, type Problem } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { ask } from '../errors.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';
import { hasServers, zoneOf } from '../layout/placement.ts';
import { subnet } from '../names.ts';
import type { Region } from '../region.ts';
import type { StandingSubnets } from './existing-subnets.ts';
import { readOnce } from './read-once.ts';
import type { Offerings } from './types.ts';

/** A layer with servers: of which type, and in which zone, where it names one or stands in one. */
export interface Place {
  /** Where it stands in the model. */
  path: string;
  flag: string;
  type: string;
  zone: string | null;
}

export const zonesOf = (standing: StandingSubnets): Record<string, string> =>
  Object.fromEntries(Object.entries(standing).map(([id, { zone }]) => [id, zone]));

export const placesOf = ({ layers }: StackModel, standing: StandingSubnets): Place[] =>
  layers.flatMap((layer, index) => {
    const { flag } = layer;
    const place = {
      path: at('layers', index),
      flag,
      type: instanceTypeOf(layer),
      zone: zoneOf(layer, { zones: [], places: zonesOf(standing) }) || null,
    };
    return hasServers(layer) ? [place] : [];
  });

/** Every zone the model names, with the place it does so. */
const namedZones = ({ layers }: StackModel): { path: string; zone: string }[] =>
  layers.flatMap(({ zone, capacity }, index) => [
    ...(zone === null ? [] : [{ path: at('layers', index, 'zone'), zone }]),
    ...(capacity.kind === 'group' ? capacity.zones : []).map((named, position) => ({
      path: at('layers', index, 'capacity/zones', position),
      zone: named,
    })),
  ]);

/**
 * The zones of the region. Those decided before stay where they are, since everything in a zone that changed would be
 * made anew; at first, those come first that offer most of what the model needs.
 */
export async function chooseZones(
  region: Region,
  model: StackModel,
  before: readonly string[],
  offerings: Offerings,
): Promise<readonly string[]> {
  const isKnown = ({ zone }: { zone: string }): boolean => before.includes(zone);
  if (before.length > 0 && namedZones(model).every(isKnown)) return before;
  const there = await readZones(region);
  if (before.length > 0) return [...before, ...there.filter((zone) => !before.includes(zone))];
  const needed = placesOf(model, {}).filter(({ zone }) => zone === null);
  const missing = (zone: string): number =>
    needed.filter(({ type }) => !offerings.get(type)?.has(zone)).length;
  return there.toSorted((one, other) => missing(one) - missing(other));
}

const readZones = (region: Region): Promise<string[]> =>
  readOnce(region, 'zones', async () => {
    const ec2 = await region.clients.ec2();
    const told = await ask(() =>
      ec2.describeAvailabilityZones({
        Filters: [
          { Name: 'state', Values: ['available'] },
          { Name: 'zone-type', Values: ['availability-zone'] },
        ],
      }),
    );
    return (told.AvailabilityZones ?? []).flatMap(({ ZoneName }) => ZoneName ?? []).toSorted();
  });

export const zoneProblems = (region: Region, model: StackModel, zones: readonly string[]): Problem[] =>
  namedZones(model)
    .filter(({ zone }) => !zones.includes(zone))
    .map(({ path, zone }) => ({
      path,
      message: `The account has no zone ${zone} in ${region.name}, but ${zones.join(', ')}.`,
    }));

/** Whether a layer's servers stand in the same zone already. */
export const isStanding = (standing: StandingSubnets, { flag, zone }: Place): boolean =>
  zone !== null && standing[subnet(flag)]?.zone === zone;

/** A type that is to be had, but not where its layer is. */
export function offerProblems(
  places: readonly Place[],
  zones: readonly string[],
  offerings: Offerings,
): Problem[] {
  return places.flatMap(({ path, type, zone }) => {
    const offered = offerings.get(type);
    const there = zone ?? zones[0] ?? '';
    // One that is to be had nowhere has its problem already, and so has a zone that does not exist.
    if (!offered || offered.has(there) || !zones.includes(there)) return [];
    const others = [...offered].filter((other) => zones.includes(other)).toSorted();
    return [
      {
        path: at(path, 'instanceType'),
        message:
          `Instance type ${type} is not to be had in zone ${there}, where the layer is, ` +
          `but in ${others.join(', ')}. Name another type, or one of these as the zone of the layer.`,
      },
    ];
  });
}
