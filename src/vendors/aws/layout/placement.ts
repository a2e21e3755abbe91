import type { Capacity, Layer, StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import { balancerSubnet, subnet } from '../names.ts';

/** Which layer's servers stand where. */

export type Group = Extract<Capacity, { kind: 'group' }>;

/** What decides where a layer goes that does not say so itself. */
export type Placement = Pick<Choices, 'zones' | 'places'>;

/** A layer that names no zone stays where it is; a new one is put where its group is to be, or in the first zone there is. */
export const zoneOf = ({ flag, zone, capacity }: Layer, { zones, places }: Placement): string =>
  zone ??
  places[subnet(flag)] ??
  (capacity.kind === 'group' ? capacity.zones[0] : undefined) ??
  zones[0] ??
  '';

/** What is kept of where subnets are. `ownZone`: that of the load balancers' own subnet, where there is one. */
export const subnetZones = (
  { layers }: StackModel,
  where: Placement,
  ownZone: string | null,
): Choices['places'] => ({
  ...Object.fromEntries(layers.map((layer) => [subnet(layer.flag), zoneOf(layer, where)])),
  ...(ownZone === null ? {} : { [balancerSubnet]: ownZone }),
});

/** The layers whose subnets a layer's servers stand in: its own, for a group also those it names and those lent to it. */
export function homesOf(model: StackModel, layer: Layer): Layer[] {
  const { capacity } = layer;
  if (capacity.kind !== 'group') return [layer];
  return model.layers.filter(
    (other) =>
      other.flag === layer.flag ||
      capacity.subnetsOf.includes(other.flag) ||
      (other.capacity.kind === 'shared' && other.capacity.groupOf === layer.flag),
  );
}

/** How many servers of its own a layer may come to. */
export const maxServers = ({ capacity }: Layer): number => {
  if (capacity.kind === 'shared') return 0;
  return capacity.kind === 'fixed' ? capacity.count : capacity.max;
};

/** Whether a layer has servers of its own, or a group that may have some after the next change. */
export const hasServers = (layer: Layer): boolean => layer.capacity.kind === 'group' || maxServers(layer) > 0;

/** Whether servers of any layer may stand in the layer's subnet. */
const hostsServers = (model: StackModel, layer: Layer): boolean =>
  model.layers.some((other) => maxServers(other) > 0 && homesOf(model, other).includes(layer));

/** Servers in a private subnet reach the internet through a NAT gateway; others do not need one. */
export const needsNat = (model: StackModel, layer: Layer): boolean =>
  !layer.subnet.public && hostsServers(model, layer);

/** The layer whose servers a layer means: its own, or those of the group it shares. */
export const ownerOf = (model: StackModel, layer: Layer): Layer => {
  const { capacity } = layer;
  if (capacity.kind !== 'shared') return layer;
  return model.layers.find(({ flag }) => flag === capacity.groupOf) ?? layer;
};

/** The layers whose load balancers stand before a layer's servers. */
export const frontsOf = (model: StackModel, owner: Layer): Layer[] =>
  model.layers.filter((layer) => layer.loadBalancer && ownerOf(model, layer) === owner);

/** The layers whose security groups a layer's servers carry, its own first. */
export const guardsOf = (model: StackModel, layer: Layer): Layer[] => {
  const named = layer.capacity.kind === 'group' ? layer.capacity.securityGroupsOf : [];
  return [layer, ...model.layers.filter((other) => other !== layer && named.includes(other.flag))];
};

/** The layers a list names; an empty one means the layer itself. */
export const layersNamed = (model: StackModel, flags: readonly string[], own: Layer): Layer[] =>
  flags.length === 0 ? [own] : model.layers.filter(({ flag }) => flags.includes(flag));
