import { type Block, contains, formatBlock, parseBlock, sizeOf } from '../../../model/ipv4-block.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { hostLayers } from '../../shared/capacity.ts';
import type { Choices, SpreadSubnet } from '../choices.ts';
import * as names from '../names.ts';
import { allowsZone, maxServers, type Placement, zoneOf } from './placement.ts';

/** Groups run in at least two zones, unless the document names one. */

/** AWS reserves the first four addresses of a subnet and the last one. */
export const reservedAddresses = 5;

/** Load balancers need subnets of this size. */
const smallestPrefix = 27;

const zonesByDefault = 2;

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
export const spreadLayers = (model: StackModel, input: SpreadInput): Choices['spread'] =>
  Object.fromEntries(
    model.layers.flatMap((layer) => {
      const subnets = divide(model, layer, input);
      return subnets.length === 0 ? [] : [[layer.flag, subnets]];
    }),
  );

function divide(model: StackModel, layer: Layer, input: SpreadInput): readonly SpreadSubnet[] {
  const { placement, isUndivided } = input;
  const before = keptParts(layer, placement);
  const [own] = before;
  const stay = before.slice(1).filter(({ zone }) => mayUse(layer, zone));
  const missing = missingZones({ model, layer, input, stay });
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

interface MissingInput {
  model: StackModel;
  layer: Layer;
  input: SpreadInput;
  stay: readonly SpreadSubnet[];
}

/** Zones in which the group has no subnet: those the document lists, or enough for the default. */
function missingZones({ model, layer, input: { placement, isOffered }, stay }: MissingInput): string[] {
  const { capacity } = layer;
  if (capacity.kind !== 'group' || capacity.zones.length === 1) return [];
  const covered = new Set([
    ...hostLayers(model, layer).map((host) => zoneOf(host, placement)),
    ...stay.map(({ zone }) => zone),
  ]);
  if (capacity.zones.length > 0) return capacity.zones.filter((zone) => !covered.has(zone));
  const others = placement.zones.filter((zone) => !covered.has(zone) && isOffered(layer, zone));
  return others.slice(0, Math.max(0, zonesByDefault - covered.size));
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
