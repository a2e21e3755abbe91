import type { Capacity, Layer, StackModel } from '../../model/stack-model.ts';

export type Group = Extract<Capacity, { kind: 'group' }>;

/** The number of spot instances among `instances`: the percentage, rounded half up. */
export const spotShare = (instances: number, percent: number): number =>
  Math.floor((instances * percent + 50) / 100);

/** The number of servers a layer starts with. A group starts at its minimum size. */
export const serverCount = ({ capacity }: Layer): number => {
  if (capacity.kind === 'shared') return 0;
  return capacity.kind === 'fixed' ? capacity.count : capacity.min;
};

/** What a group scales by. A group of one possible size never scales. */
export const scalingOf = ({ min, max, scaling }: Group): Group['scaling'] => (min < max ? scaling : null);

export interface ServerSlot {
  spot: boolean;
  /** Counted separately for spot and on-demand servers: a growing group keeps the names and places of its members. */
  index: number;
}

/** The servers a layer starts with, on-demand ones first. */
export function serverSlots(layer: Layer): ServerSlot[] {
  const count = serverCount(layer);
  const spotCount = layer.capacity.kind === 'group' ? spotShare(count, layer.capacity.spotPercent) : 0;
  const onDemandCount = count - spotCount;
  return Array.from({ length: count }, (_, position) =>
    position < onDemandCount
      ? { spot: false, index: position }
      : { spot: true, index: position - onDemandCount },
  );
}

/** The layers whose subnets a layer's servers use: its own; for a group also those it names and those that share it. */
export function hostLayers(model: StackModel, layer: Layer): Layer[] {
  const { capacity } = layer;
  if (capacity.kind !== 'group') return [layer];
  return model.layers.filter(
    (other) =>
      other.flag === layer.flag ||
      capacity.subnetsOf.includes(other.flag) ||
      (other.capacity.kind === 'shared' && other.capacity.groupOf === layer.flag),
  );
}

/** The layer that hosts a server. Spot and on-demand servers start at different layers to spread a small group. */
export const hostOf = (hosts: readonly Layer[], { spot, index }: ServerSlot): Layer | undefined =>
  hosts[(spot ? index + 1 : index) % hosts.length];
