import type { Layer, StackModel } from '../../model/stack-model.ts';

/** The maximum number of servers of a layer. */
export const maxServers = ({ capacity }: Layer): number => {
  if (capacity.kind === 'shared') return 0;
  return capacity.kind === 'fixed' ? capacity.count : capacity.max;
};

/** Whether a layer has servers, or a group that may have some after the next change. */
export const hasServers = (layer: Layer): boolean => layer.capacity.kind === 'group' || maxServers(layer) > 0;

/** The layer that has the servers: the layer itself, or the one whose group it shares. */
export const groupOwner = (model: StackModel, layer: Layer): Layer => {
  const { capacity } = layer;
  if (capacity.kind !== 'shared') return layer;
  return model.layers.find(({ flag }) => flag === capacity.groupOf) ?? layer;
};

/** The layers whose load balancers forward to the servers of a layer. */
export const balancerLayers = (model: StackModel, owner: Layer): Layer[] =>
  model.layers.filter((layer) => layer.loadBalancer && groupOwner(model, layer) === owner);

/** The layers whose security groups apply to a layer's servers, its own first. */
export const securityGroupLayers = (model: StackModel, layer: Layer): Layer[] => {
  const named = layer.capacity.kind === 'group' ? layer.capacity.securityGroupsOf : [];
  return [layer, ...model.layers.filter((other) => other !== layer && named.includes(other.flag))];
};

/** The layers in a list of flags; an empty list means the layer itself. */
export const namedLayers = (model: StackModel, flags: readonly string[], own: Layer): Layer[] =>
  flags.length === 0 ? [own] : model.layers.filter(({ flag }) => flags.includes(flag));
