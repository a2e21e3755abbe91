import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import { placeBalancers } from '../layout/balancer-places.ts';
import { subnetZones } from '../layout/placement.ts';
import { reserveSubnets } from '../layout/reserve-subnets.ts';
import { balancerSubnet } from '../names.ts';
import { type ExistingSubnets, moveProblems } from './existing-subnets.ts';
import { zonesOf } from './places.ts';

/** Chooses zones and CIDR blocks of subnets without moving existing subnets. */
export function chooseSubnets(
  model: StackModel,
  { zones, cidrs }: Pick<Choices, 'zones' | 'cidrs'>,
  existing: ExistingSubnets,
): Outcome<Pick<Choices, 'cidrs' | 'places'>> {
  const placement = { zones, places: zonesOf(existing) };
  const { ownZone } = placeBalancers(model, placement);
  const places = subnetZones(model, placement, ownZone);
  const kept = { ...cidrs };
  // In another zone it is a new subnet, and needs another block while the old one still exists.
  if (existing[balancerSubnet] && existing[balancerSubnet].zone !== ownZone) delete kept[balancerSubnet];
  const others = Object.entries(existing).filter(([id]) => kept[id] === undefined);
  const moves = moveProblems(model, Object.fromEntries(others));
  const reserved = reserveSubnets(
    model,
    { zones, places, cidrs: kept },
    others.map(([, { cidr }]) => cidr),
  );
  if (!reserved.ok) return reject([...moves, ...reserved.problems]);
  return moves.length > 0 ? reject(moves) : succeed({ cidrs: reserved.value, places });
}
