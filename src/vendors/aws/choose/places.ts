import { at, type Problem } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { hasServers } from '../../shared/layers.ts';
import { callAws } from '../errors.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';
import { zoneOf } from '../layout/placement.ts';
import { subnet } from '../names.ts';
import type { Region } from '../region.ts';
import type { ExistingSubnets } from './existing-subnets.ts';
import { readCached } from './read-cached.ts';
import type { Offerings } from './types.ts';

/** A layer with servers: its instance type and, if specified or already decided, its zone. */
export interface Place {
  /** The path of the layer in the model. */
  path: string;
  flag: string;
  type: string;
  zone: string | null;
}

export const zonesOf = (existing: ExistingSubnets): Record<string, string> =>
  Object.fromEntries(Object.entries(existing).map(([id, { zone }]) => [id, zone]));

export const placesOf = ({ layers }: StackModel, existing: ExistingSubnets): Place[] =>
  layers.flatMap((layer, index) => {
    const { flag } = layer;
    const place = {
      path: at('layers', index),
      flag,
      type: instanceTypeOf(layer),
      zone: zoneOf(layer, { zones: [], places: zonesOf(existing) }) || null,
    };
    return hasServers(layer) ? [place] : [];
  });

/** Every zone in the model, with its path. */
const namedZones = ({ layers }: StackModel): { path: string; zone: string }[] =>
  layers.flatMap(({ zone, capacity }, index) => [
    ...(zone === null ? [] : [{ path: at('layers', index, 'zone'), zone }]),
    ...(capacity.kind === 'group' ? capacity.zones : []).map((named, position) => ({
      path: at('layers', index, 'capacity/zones', position),
      zone: named,
    })),
  ]);

interface ZoneInput {
  model: StackModel;
  before: readonly string[];
  offerings: Offerings;
}

/**
 * Orders the zones of the region. Earlier choices keep their position, because a changed zone would replace everything in
 * it. For a new stack, zones that offer more of the model's instance types come first.
 */
export async function chooseZones(
  region: Region,
  { model, before, offerings }: ZoneInput,
): Promise<readonly string[]> {
  const isKnown = ({ zone }: { zone: string }): boolean => before.includes(zone);
  if (before.length > 0 && namedZones(model).every(isKnown)) return before;
  const available = await readZones(region);
  if (before.length > 0) return [...before, ...available.filter((zone) => !before.includes(zone))];
  const needed = placesOf(model, {}).filter(({ zone }) => zone === null);
  const missing = (zone: string): number =>
    needed.filter(({ type }) => !offerings.get(type)?.has(zone)).length;
  return available.toSorted((one, other) => missing(one) - missing(other));
}

const readZones = (region: Region): Promise<string[]> =>
  readCached(region, 'zones', async () => {
    const ec2 = await region.clients.ec2();
    const response = await callAws(() =>
      ec2.describeAvailabilityZones({
        Filters: [
          { Name: 'state', Values: ['available'] },
          { Name: 'zone-type', Values: ['availability-zone'] },
        ],
      }),
    );
    return (response.AvailabilityZones ?? []).flatMap(({ ZoneName }) => ZoneName ?? []).toSorted();
  });

export const zoneProblems = (region: Region, model: StackModel, zones: readonly string[]): Problem[] =>
  namedZones(model)
    .filter(({ zone }) => !zones.includes(zone))
    .map(({ path, zone }) => ({
      path,
      message: `The account has no zone ${zone} in ${region.name}. Use one of ${zones.join(', ')}.`,
    }));

/** Whether the layer already exists in the same zone. */
export const isUnmoved = (existing: ExistingSubnets, { flag, zone }: Place): boolean =>
  zone !== null && existing[subnet(flag)]?.zone === zone;

/** Instance types that the region offers, but not in the zone of their layer. */
export function offerProblems(
  places: readonly Place[],
  zones: readonly string[],
  offerings: Offerings,
): Problem[] {
  return places.flatMap(({ path, type, zone }) => {
    const offered = offerings.get(type);
    const actualZone = zone ?? zones[0] ?? '';
    // Unknown types and unknown zones are already reported as problems.
    if (!offered || offered.has(actualZone) || !zones.includes(actualZone)) return [];
    const others = [...offered].filter((other) => zones.includes(other)).toSorted();
    return [
      {
        path: at(path, 'instanceType'),
        message:
          `Instance type ${type} is not available in ${actualZone}, the zone of the layer, ` +
          `but in ${others.join(', ')}. Choose another type, or one of these zones for the layer.`,
      },
    ];
  });
}
