import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import { placeBalancers } from '../layout/balancer-places.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';
import { type Placement, subnetZones } from '../layout/placement.ts';
import { reserveSubnets } from '../layout/reserve-subnets.ts';
import { spreadLayers } from '../layout/spread.ts';
import { balancerSubnet, subnet } from '../names.ts';
import { type ExistingSubnets, moveProblems } from './existing-subnets.ts';
import { zonesOf } from './places.ts';
import type { Offerings } from './types.ts';

interface Found {
  existing: ExistingSubnets;
  offerings: Offerings;
}

/** Chooses zones and CIDR blocks of subnets without moving existing subnets. */
export function chooseSubnets(
  model: StackModel,
  { zones, cidrs, spread: parts }: Pick<Choices, 'zones' | 'cidrs' | 'spread'>,
  { existing, offerings }: Found,
): Outcome<Pick<Choices, 'cidrs' | 'places' | 'spread'>> {
  const before: Placement = { zones, places: zonesOf(existing), spread: parts };
  const spread = spreadLayers(model, {
    placement: before,
    isUndivided: ({ flag, subnet: { cidr } }) => existing[subnet(flag)]?.cidr === cidr,
    isOffered: (layer, zone) => offerings.get(instanceTypeOf(layer))?.has(zone) ?? true,
  });
  const placement = { ...before, spread };
  const { ownZone } = placeBalancers(model, placement);
  const places = subnetZones(model, placement, ownZone);
  const kept = { ...cidrs };
  // In another zone it is a new subnet, and needs another block while the old one still exists.
  if (existing[balancerSubnet] && existing[balancerSubnet].zone !== ownZone) delete kept[balancerSubnet];
  const others = Object.entries(existing).filter(([id]) => kept[id] === undefined);
  const moves = moveProblems(model, placement, Object.fromEntries(others));
  const reserved = reserveSubnets(
    model,
    { zones, places, spread, cidrs: kept },
    others.map(([, { cidr }]) => cidr),
  );
  if (!reserved.ok) return reject([...moves, ...reserved.problems]);
  return moves.length > 0 ? reject(moves) : succeed({ cidrs: reserved.value, places, spread });
}
