import type { Capacity, Layer, StackModel } from '../../../model/stack-model.ts';
import { catalog } from '../catalog.ts';
import { type Fleet, hashOf, type Slot } from '../document.ts';
import * as names from '../names.ts';

type Group = Extract<Capacity, { kind: 'group' }>;

/** Of so many instances, how many are spot instances: the percentage, rounded half up. */
const spotShare = (instances: number, percent: number): number =>
  Math.floor((instances * percent + 50) / 100);

/** How many instances a layer itself has; those of a group are its members at the least size. */
export const instanceCount = ({ capacity }: Layer): number =>
  capacity.kind === 'fixed' ? capacity.count : capacity.kind === 'group' ? capacity.min : 0;

/** Only a name here; what a group's members spread over on a cloud. */
export const zoneOf = (model: StackModel, layer: Layer): string => layer.zone ?? model.region;

/** The layers whose zones a group spans: its own, those it names, and those that lend it theirs. */
const homesOf = (model: StackModel, layer: Layer, capacity: Group): Layer[] =>
  model.layers.filter(
    (other) =>
      other.flag === layer.flag ||
      capacity.subnetsOf.includes(other.flag) ||
      (other.capacity.kind === 'shared' && other.capacity.groupOf === layer.flag),
  );

/** Spot and ordinary ones are counted apart, so that a growing group renames and moves none it has. */
function slotsOf(model: StackModel, layer: Layer): Slot[] {
  const { flag, capacity } = layer;
  const count = instanceCount(layer);
  const spotCount = capacity.kind === 'group' ? spotShare(count, capacity.spotPercent) : 0;
  const homes = capacity.kind === 'group' ? homesOf(model, layer, capacity) : [layer];
  const zoneAt = (index: number) => zoneOf(model, homes[index % homes.length] ?? layer);
  return Array.from({ length: count }, (_, position) => {
    const index = position - (count - spotCount);
    return index < 0
      ? { name: names.slotName(flag, position), spot: false, zone: zoneAt(position) }
      : { name: names.spotSlotName(flag, index), spot: true, zone: zoneAt(index + 1) };
  });
}

/** The files that a layer's instances share, and the layers that name the same ones. */
export function filesOf({ flag, container }: Layer): Fleet['files'] {
  if (container?.storage?.kind !== 'efs') return null;
  const { id, mountPath } = container.storage;
  return { volume: names.filesName(id ?? flag), mountPath };
}

/** A layer's own servers; none for one that shares another layer's group. */
export function fleetOf(model: StackModel, layer: Layer): Fleet[] {
  if (layer.capacity.kind === 'shared') return [];
  const { flag, keyPair } = layer;
  const instanceType = layer.instanceType ?? catalog.defaultInstanceType;
  const launch = { instanceType, keyPair, files: filesOf(layer) };
  const inGroup = layer.capacity.kind === 'group';
  return [{ flag, inGroup, ...launch, hash: hashOf(launch), slots: slotsOf(model, layer) }];
}
