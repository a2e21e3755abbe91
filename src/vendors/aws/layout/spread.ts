import { type Block, contains, formatBlock, parseBlock, sizeOf } from '../../../model/ipv4-block.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { hostLayers } from '../../shared/capacity.ts';
import { maxServers } from '../../shared/layers.ts';
import type { Choices, SpreadSubnet } from '../choices.ts';
import * as names from '../names.ts';
import { placeBalancers } from './balancer-places.ts';
import { allowsZone, type Placement, zoneOf } from './placement.ts';

/** Groups run in at least two zones, unless the document names one. */

/** AWS reserves the first four addresses of a subnet and the last one. */
export const reservedAddresses = 5;

/** Load balancers need subnets of this size. */
const smallestPrefix = 27;

interface SpreadInput {
  placement: Placement;
  /** Whether the layer already has a subnet that is its whole network. It cannot be divided. */
  isUndivided: (layer: Layer) => boolean;
  isOffered: (layer: Layer, zone: string) => boolean;
}

/**
 * Divides the networks of layers whose group needs further zones. The parts are inside the layer's network, so that rules for
 * that network apply to all its servers. Existing parts stay; an existing subnet that is the whole network is never divided.
 */
export function spreadLayers(model: StackModel, input: SpreadInput): Choices['spread'] {
  const spread: Record<string, readonly SpreadSubnet[]> = {};
  const put = ({ flag }: Layer, subnets: readonly SpreadSubnet[]): void => {
    if (subnets.length > 0) spread[flag] = subnets;
  };
  for (const layer of model.layers) put(layer, divide(layer, listedZones(model, layer, input), input));
  for (const layer of model.layers) {
    const options = defaultZones(model, layer, input).map((zone) => divide(layer, [zone], input));
    const placement = { ...input.placement, spread };
    put(layer, options.find((subnets) => isReachable(model, placement, { [layer.flag]: subnets })) ?? []);
  }
  return spread;
}

/** Whether load balancers reach the group with these subnets as well as without, and their own subnet does not move. */
function isReachable(model: StackModel, placement: Placement, added: Choices['spread']): boolean {
  if (Object.values(added).some((subnets) => subnets.length === 0)) return false;
  const spread = { ...placement.spread, ...added };
  const [before, after] = [placement, { ...placement, spread }].map((each) => placeBalancers(model, each));
  const current = placement.places[names.balancerSubnet];
  const moves = current !== undefined && after?.ownZone !== null && after?.ownZone !== current;
  return !moves && (after?.problems.length ?? 0) <= (before?.problems.length ?? 0);
}

function divide(layer: Layer, missing: readonly string[], input: SpreadInput): readonly SpreadSubnet[] {
  const { placement, isUndivided } = input;
  const before = keptParts(layer, placement);
  const [own] = before;
  const stay = stayingParts(layer, placement);
  if (isUndivided(layer) || (!own && missing.length === 0)) return [];
  const prefix = own ? parseBlock(own.cidr)?.prefix : prefixFor(layer, missing.length + 1);
  const parts = partsOf(layer, prefix);
  const [first, ...others] = parts;
  if (!first) return [];
  // A part that is no longer used is not reused at once: its subnet still exists while the new one is created.
  const free = others.filter(({ id }) => !before.some((used) => used.id === id));
  const added = missing.flatMap((zone, index) => (free[index] ? [{ ...free[index], zone }] : []));
  return [{ ...first, zone: zoneOf(layer, placement) }, ...stay, ...added];
}

/** Parts of an earlier version, unless the layer has another network now. */
const keptParts = ({ flag, subnet }: Layer, { spread }: Placement): readonly SpreadSubnet[] => {
  const network = parseBlock(subnet.cidr);
  const parts = spread[flag] ?? [];
  const isInside = ({ cidr }: SpreadSubnet): boolean => {
    const block = parseBlock(cidr);
    return Boolean(network && block && contains(network, block));
  };
  return parts.every(isInside) ? parts : [];
};

/** Whether a group may stay in a zone that an earlier version gave it. */
const mayUse = (layer: Layer, zone: string): boolean =>
  layer.capacity.kind === 'group' && allowsZone(layer, zone);

const stayingParts = (layer: Layer, placement: Placement): readonly SpreadSubnet[] =>
  keptParts(layer, placement)
    .slice(1)
    .filter(({ zone }) => mayUse(layer, zone));

/** The zones in which a group has subnets without further ones. */
const coveredZones = (model: StackModel, layer: Layer, placement: Placement): ReadonlySet<string> =>
  new Set([
    ...hostLayers(model, layer).map((host) => zoneOf(host, placement)),
    ...stayingParts(layer, placement).map(({ zone }) => zone),
  ]);

/** Zones that the document lists, and in which the group has no subnet. */
function listedZones(model: StackModel, layer: Layer, { placement }: SpreadInput): string[] {
  const { capacity } = layer;
  if (capacity.kind !== 'group' || capacity.zones.length < 2) return [];
  const covered = coveredZones(model, layer, placement);
  return capacity.zones.filter((zone) => !covered.has(zone));
}

/** Possible second zones of a group whose document lists none. */
function defaultZones(model: StackModel, layer: Layer, { placement, isOffered }: SpreadInput): string[] {
  const { capacity } = layer;
  const covered = coveredZones(model, layer, placement);
  if (capacity.kind !== 'group' || capacity.zones.length > 0 || covered.size > 1) return [];
  return placement.zones.filter((zone) => !covered.has(zone) && isOffered(layer, zone));
}

/** The size of equal parts; undefined if they would be too small for load balancers or for the group. */
function prefixFor(layer: Layer, count: number): number | undefined {
  const prefix = (parseBlock(layer.subnet.cidr)?.prefix ?? 32) + Math.ceil(Math.log2(count));
  const room = count * (sizeOf(prefix) - reservedAddresses);
  return prefix <= smallestPrefix && room >= maxServers(layer) ? prefix : undefined;
}

/** The parts of the layer's network; the first has the name of the layer's subnet. */
function partsOf({ flag, subnet }: Layer, prefix: number | undefined): Omit<SpreadSubnet, 'zone'>[] {
  const network = parseBlock(subnet.cidr);
  if (!network || prefix === undefined) return [];
  const count = sizeOf(network.prefix) / sizeOf(prefix);
  return Array.from({ length: count }, (_, index) => ({
    id: index === 0 ? names.subnet(flag) : names.spreadSubnet(flag, index + 1),
    cidr: formatBlock(partAt(network, prefix, index)),
  }));
}

const partAt = ({ first }: Block, prefix: number, index: number): Block => ({
  first: first + index * sizeOf(prefix),
  prefix,
});
