import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { hostLayers, hostOf, scalingOf, serverSlots } from '../../shared/capacity.ts';
import { catalog, maxInstances } from '../catalog.ts';
import { type Fleet, hashOf, type Scaling, type Slot } from '../document.ts';
import * as names from '../names.ts';

/** Only a name on one machine. On a cloud, group members spread over zones. */
const zoneOf = (model: StackModel, layer: Layer): string => layer.zone ?? model.region;

export function slotsOf(model: StackModel, layer: Layer): Slot[] {
  const hosts = hostLayers(model, layer);
  return serverSlots(layer).map((slot) => ({
    name: slot.spot ? names.spotSlotName(layer.flag, slot.index) : names.slotName(layer.flag, slot.index),
    spot: slot.spot,
    zone: zoneOf(model, hostOf(hosts, slot) ?? layer),
  }));
}

const defaultTargetPercent = 60;

/** An engine does not count requests, so a group that scales by them has the default target of CPU use. */
function scalingIn(model: StackModel, layer: Layer, slots: readonly Slot[]): { scaling?: Scaling } {
  const { capacity } = layer;
  const target = capacity.kind === 'group' ? scalingOf(capacity) : null;
  if (capacity.kind !== 'group' || target === null) return {};
  const { cooldownSeconds, spotPercent } = capacity;
  const max = Math.min(capacity.max, maxInstances);
  const smallest = new Set(slots.map(({ name }) => name));
  const largest = slotsOf(model, { ...layer, capacity: { ...capacity, min: max } });
  const targetPercent = target.metric === 'cpu' ? target.target : defaultTargetPercent;
  const reserve = largest.filter(({ name }) => !smallest.has(name));
  return { scaling: { max, targetPercent, cooldownSeconds, spotPercent, reserve } };
}

/** The volume that a layer's instances share with all layers that name the same files. */
function filesOf({ flag, container }: Layer): Fleet['files'] {
  if (container?.storage?.kind !== 'efs') return null;
  const { id, mountPath } = container.storage;
  return { volume: names.filesName(id ?? flag), mountPath };
}

/** The members of a group come and go, so that their files are not persistent: their agents make volumes for them. */
const withStorage = ({ capacity, container }: Layer, slot: Slot): Slot =>
  capacity.kind === 'fixed' && container?.storage?.kind === 'local'
    ? { ...slot, volume: names.storageName(slot.name) }
    : slot;

/** A layer's own servers; none for a layer that shares another layer's group. */
export function fleetOf(model: StackModel, layer: Layer): Fleet[] {
  if (layer.capacity.kind === 'shared') return [];
  const { flag, keyPair } = layer;
  const instanceType = layer.instanceType ?? catalog.defaultInstanceType;
  const launch = { instanceType, keyPair, files: filesOf(layer) };
  const inGroup = layer.capacity.kind === 'group';
  const slots = slotsOf(model, layer).map((slot) => withStorage(layer, slot));
  return [{ flag, inGroup, ...launch, hash: hashOf(launch), slots, ...scalingIn(model, layer, slots) }];
}
