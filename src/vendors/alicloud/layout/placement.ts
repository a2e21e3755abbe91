import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { hostLayers } from '../../shared/capacity.ts';
import { maxServers } from '../../shared/layers.ts';

/** The layers whose servers use a layer's VSwitch. */
export const guestLayers = (model: StackModel, host: Layer): Layer[] =>
  model.layers.filter((layer) => layer.capacity.kind !== 'shared' && hostLayers(model, layer).includes(host));

/** Servers without a public address need a NAT gateway to reach the internet. */
export const needsNat = (model: StackModel, layer: Layer): boolean =>
  !layer.subnet.public && guestLayers(model, layer).some((guest) => maxServers(guest) > 0);

export const hasDataSubnet = ({ databases, caches }: StackModel): boolean =>
  databases.length + caches.length > 0;

/** A standby is in another zone, and so in another VSwitch. */
export const hasStandby = ({ databases }: StackModel): boolean =>
  databases.some(({ multiZone }) => multiZone);
