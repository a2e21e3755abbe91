import { at, type Problem } from '../../../basics/problem.ts';
import { parseBlock } from '../../../model/ipv4-block.ts';
import type { Layer, LoadBalancer, StackModel } from '../../../model/stack-model.ts';
import * as names from '../names.ts';
import { isApplication } from './listeners.ts';
import { homesOf, layersNamed, maxServers, ownerOf, type Placement, zoneOf } from './placement.ts';

/** One load balancer: the subnets it stands in by zone (AWS takes one for each), and the zones it must reach. */
interface Place {
  index: number;
  balancer: LoadBalancer;
  subnets: Map<string, string>;
  reaches: readonly string[];
}

export interface BalancerPlaces {
  /** The zone of the subnet made for load balancers alone; null: every one of them does without. */
  ownZone: string | null;
  /** The subnets of each layer's load balancer, by flag. */
  subnetsOf: ReadonlyMap<string, readonly string[]>;
  problems: readonly Problem[];
}

/**
 * Where the load balancers stand. AWS wants an application balancer in two zones, and none hands anything to servers in
 * a zone it does not stand in. So what the named subnets lack comes from its servers' own, then from other layers, and
 * at last from a subnet made for that.
 */
export function placeBalancers(model: StackModel, where: Placement): BalancerPlaces {
  const placed = model.layers.flatMap((layer, index) =>
    layer.loadBalancer ? [placeOne({ model, where, layer, index, balancer: layer.loadBalancer })] : [],
  );
  const needy = placed.filter((place) => place.subnets.size > 0 && lacks(place));
  const ownZone = needy.length === 0 ? null : zoneForAll(needy, where);
  for (const { subnets } of needy)
    if (ownZone && !subnets.has(ownZone)) subnets.set(ownZone, names.balancerSubnet);
  return {
    ownZone,
    subnetsOf: new Map(
      placed.map(({ index, subnets }) => [model.layers[index]?.flag ?? '', [...subnets.values()]]),
    ),
    problems: placed.flatMap(problemsOf),
  };
}

interface Asked {
  model: StackModel;
  where: Placement;
  layer: Layer;
  index: number;
  balancer: LoadBalancer;
}

function placeOne({ model, where, layer, index, balancer }: Asked): Place {
  const zone = (each: Layer): string => zoneOf(each, where);
  // The internet reaches only public subnets. A private one may still be named: its servers are reached all the same.
  const fits = (each: Layer): boolean => balancer.scheme === 'internal' || each.subnet.public;
  const named = layersNamed(model, balancer.subnetsOf, layer).filter(fits);
  const spare = model.layers.filter((each) => fits(each) && couldHost(each));
  const owner = ownerOf(model, layer);
  const homes = maxServers(owner) > 0 ? homesOf(model, owner) : [];
  const reaches = [...new Set(homes.map(zone))];
  const subnets = new Map<string, string>();
  const add = (each: Layer): void => {
    if (!subnets.has(zone(each))) subnets.set(zone(each), names.subnet(each.flag));
  };
  const place = { index, balancer, subnets, reaches };
  for (const each of named) add(each);
  if (named.length === 0) return place;
  for (const each of [...homes.filter(fits), ...spare]) if (reaches.includes(zone(each))) add(each);
  for (const each of spare) if (lacksZone(place)) add(each);
  return place;
}

/** Border rules of a layer's own making might keep out what a balancer is asked for, and it needs room to grow. */
const couldHost = ({ role, networkAcl, subnet }: Layer): boolean =>
  role === 'web' && networkAcl.length === 0 && (parseBlock(subnet.cidr)?.prefix ?? 32) <= 27;

const unreached = ({ subnets, reaches }: Place): string[] => reaches.filter((zone) => !subnets.has(zone));
/** Too few zones, also with those it must still get to. */
const lacksZone = (place: Place): boolean =>
  isApplication(place.balancer) && place.subnets.size + unreached(place).length < 2;
const lacks = (place: Place): boolean => lacksZone(place) || unreached(place).length > 0;

/** One subnet must do for all who lack one; it stays where it is for as long as it does. */
function zoneForAll(needy: readonly Place[], { zones, places }: Placement): string | null {
  const [asked] = needy.flatMap(unreached);
  const taken = new Set(needy.flatMap(({ subnets }) => [...subnets.keys()]));
  const standing = places[names.balancerSubnet];
  if (standing && (asked ?? standing) === standing && !taken.has(standing)) return standing;
  return asked ?? zones.find((zone) => !taken.has(zone)) ?? null;
}

function problemsOf(place: Place): Problem[] {
  const problem = (message: string): Problem[] => [
    { path: at('layers', place.index, 'loadBalancer/subnetsOf'), message },
  ];
  if (place.subnets.size === 0)
    return problem(
      'A load balancer the internet reaches needs a public subnet. Name a layer that has one, or make it internal.',
    );
  const [zone] = unreached(place);
  if (zone)
    return problem(
      `Some of its servers are in ${zone}, where it has no subnet. Name a layer with one there.`,
    );
  if (!lacksZone(place)) return [];
  return problem('An application load balancer needs subnets in two zones. Name a layer in another zone.');
}
