import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { hostLayers } from '../../shared/capacity.ts';
import { maxServers } from '../../shared/layers.ts';
import type { Choices, SpreadSubnet } from '../choices.ts';
import { balancerSubnet, subnet } from '../names.ts';

/** Where the servers of each layer run. */

/** The choices that place a layer. */
export type Placement = Pick<Choices, 'zones' | 'places' | 'spread'>;

/** The zone of a layer's own subnet. A layer without a zone stays where it is. A new one is placed in the first zone of its group, or of the region. */
export const zoneOf = (
  { flag, zone, capacity }: Layer,
  { zones, places }: Omit<Placement, 'spread'>,
): string =>
  zone ??
  places[subnet(flag)] ??
  (capacity.kind === 'group' ? capacity.zones[0] : undefined) ??
  zones[0] ??
  '';

/** The subnets of a layer, its own first. */
export const layerSubnets = (layer: Layer, placement: Placement): readonly SpreadSubnet[] => {
  const own = { id: subnet(layer.flag), zone: zoneOf(layer, placement), cidr: layer.subnet.cidr };
  return placement.spread[layer.flag] ?? [own];
};

/** Whether the document lets the servers of a layer run in a zone. */
export const allowsZone = ({ capacity }: Layer, zone: string): boolean =>
  capacity.kind !== 'group' || capacity.zones.length === 0 || capacity.zones.includes(zone);

/**
 * The subnets in which a layer's servers run. A group does not use the parts of its network in zones that the document no longer
 * lists. It always uses an undivided network and those of other layers: they are chosen with the layer.
 */
export const serverSubnets = (
  model: StackModel,
  layer: Layer,
  placement: Placement,
): readonly SpreadSubnet[] => {
  const isDivided = placement.spread[layer.flag] !== undefined;
  return hostLayers(model, layer).flatMap((host) =>
    layerSubnets(host, placement).filter(
      ({ zone }) => host !== layer || !isDivided || allowsZone(layer, zone),
    ),
  );
};

/** The zones to store for each subnet. `ownZone`: the zone of the subnet for load balancers, if there is one. */
export const subnetZones = (
  { layers }: StackModel,
  placement: Placement,
  ownZone: string | null,
): Choices['places'] => ({
  ...Object.fromEntries(layers.map((layer) => [subnet(layer.flag), zoneOf(layer, placement)])),
  ...(ownZone === null ? {} : { [balancerSubnet]: ownZone }),
});

/** Whether servers of any layer use the layer's subnet. */
const hostsServers = (model: StackModel, layer: Layer): boolean =>
  model.layers.some((other) => maxServers(other) > 0 && hostLayers(model, other).includes(layer));

/** Servers in a private subnet need a NAT gateway to reach the internet. */
export const needsNat = (model: StackModel, layer: Layer): boolean =>
  !layer.subnet.public && hostsServers(model, layer);
