import { at, type Problem } from '../../../basics/problem.ts';
import { parseBlock } from '../../../model/ipv4-block.ts';
import type { Layer, LoadBalancer, StackModel } from '../../../model/stack-model.ts';
import { hostLayers } from '../../shared/capacity.ts';
import { groupOwner, maxServers, namedLayers } from '../../shared/layers.ts';
import * as names from '../names.ts';
import { isApplication } from './listeners.ts';
import { layerSubnets, type Placement, serverSubnets } from './placement.ts';

/** One load balancer: its subnets by zone (AWS accepts one for each), and the zones of its servers. */
interface Place {
  index: number;
  balancer: LoadBalancer;
  subnets: Map<string, string>;
  reaches: readonly string[];
}

export interface BalancerPlaces {
  /** The zone of the subnet for load balancers only; null: none is needed. */
  ownZone: string | null;
  /** The subnets of each layer's load balancer, by flag. */
  subnetsOf: ReadonlyMap<string, readonly string[]>;
  problems: readonly Problem[];
}

/**
 * Chooses the subnets of load balancers. An application load balancer needs two zones, and no load balancer forwards to
 * a zone in which it has no subnet. Missing zones are added from the subnets of its servers, then from other layers, and
 * last from an additional subnet.
 */
export function placeBalancers(model: StackModel, placement: Placement): BalancerPlaces {
  const placed = model.layers.flatMap((layer, index) =>
    layer.loadBalancer ? [placeOne({ model, placement, layer, index, balancer: layer.loadBalancer })] : [],
  );
  const incomplete = placed.filter((place) => place.subnets.size > 0 && isIncomplete(place));
  const ownZone = incomplete.length === 0 ? null : commonZone(incomplete, placement);
  for (const { subnets } of incomplete)
    if (ownZone && !subnets.has(ownZone)) subnets.set(ownZone, names.balancerSubnet);
  return {
    ownZone,
    subnetsOf: new Map(
      placed.map(({ index, subnets }) => [model.layers[index]?.flag ?? '', [...subnets.values()]]),
    ),
    problems: placed.flatMap(problemsOf),
  };
}

interface PlacementInput {
  model: StackModel;
  placement: Placement;
  layer: Layer;
  index: number;
  balancer: LoadBalancer;
}

function placeOne({ model, placement, layer, index, balancer }: PlacementInput): Place {
  // The internet reaches only public subnets. A private layer may still be named: its servers are reachable anyway.
  const fits = (each: Layer): boolean => balancer.scheme === 'internal' || each.subnet.public;
  const named = namedLayers(model, balancer.subnetsOf, layer).filter(fits);
  const spare = model.layers.filter((each) => fits(each) && couldHost(each));
  const owner = groupOwner(model, layer);
  const hosts = maxServers(owner) > 0 ? hostLayers(model, owner) : [];
  const reached = maxServers(owner) > 0 ? serverSubnets(model, owner, placement) : [];
  const reaches = [...new Set(reached.map(({ zone }) => zone))];
  const subnets = new Map<string, string>();
  const add = (layers: readonly Layer[], isWanted: (zone: string) => boolean): void => {
    for (const { id, zone } of layers.flatMap((each) => layerSubnets(each, placement)))
      if (!subnets.has(zone) && isWanted(zone)) subnets.set(zone, id);
  };
  const place = { index, balancer, subnets, reaches };
  add(named, () => true);
  if (named.length === 0) return place;
  add([...hosts.filter(fits), ...spare], (zone) => reaches.includes(zone));
  add(spare, () => lacksZone(place));
  return place;
}

/** A layer's network ACL could block requests to a load balancer, and the load balancer needs room to scale. */
const couldHost = ({ role, networkAcl, subnet }: Layer): boolean =>
  role === 'web' && networkAcl.length === 0 && (parseBlock(subnet.cidr)?.prefix ?? 32) <= 27;

const unreached = ({ subnets, reaches }: Place): string[] => reaches.filter((zone) => !subnets.has(zone));
/** Has too few zones, even with those of its unreached servers. */
const lacksZone = (place: Place): boolean =>
  isApplication(place.balancer) && place.subnets.size + unreached(place).length < 2;
const isIncomplete = (place: Place): boolean => lacksZone(place) || unreached(place).length > 0;

/** The zone of the one subnet that completes all of them. The subnet keeps its zone as long as possible. */
function commonZone(incomplete: readonly Place[], { zones, places }: Placement): string | null {
  const [required] = incomplete.flatMap(unreached);
  const taken = new Set(incomplete.flatMap(({ subnets }) => [...subnets.keys()]));
  const current = places[names.balancerSubnet];
  if (current && (required ?? current) === current && !taken.has(current)) return current;
  return required ?? zones.find((zone) => !taken.has(zone)) ?? null;
}

function problemsOf(place: Place): Problem[] {
  const problem = (message: string): Problem[] => [
    { path: at('layers', place.index, 'loadBalancer/subnetsOf'), message },
  ];
  if (place.subnets.size === 0)
    return problem(
      'An internet-facing load balancer requires a public subnet. Name a layer with one, or make the load balancer internal.',
    );
  const [zone] = unreached(place);
  if (zone)
    return problem(
      `Some servers of the load balancer are in ${zone}, where it has no subnet. Name a layer with a subnet in that zone.`,
    );
  if (!lacksZone(place)) return [];
  return problem('An application load balancer requires subnets in two zones. Name a layer in another zone.');
}
