import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import { placeBalancers } from '../layout/balancer-places.ts';
import { subnetZones } from '../layout/placement.ts';
import { reserveSubnets } from '../layout/reserve-subnets.ts';
import { balancerSubnet } from '../names.ts';
import { moveProblems, type StandingSubnets } from './existing-subnets.ts';
import { zonesOf } from './places.ts';

/** Where subnets are, so that none that stands is moved. */
export function chooseSubnets(
  model: StackModel,
  { zones, cidrs }: Pick<Choices, 'zones' | 'cidrs'>,
  standing: StandingSubnets,
): Outcome<Pick<Choices, 'cidrs' | 'places'>> {
  const where = { zones, places: zonesOf(standing) };
  const { ownZone } = placeBalancers(model, where);
  const places = subnetZones(model, where, ownZone);
  const kept = { ...cidrs };
  // In another zone it is another subnet, and must have other addresses while the first one still stands.
  if (standing[balancerSubnet] && standing[balancerSubnet].zone !== ownZone) delete kept[balancerSubnet];
  const others = Object.entries(standing).filter(([id]) => kept[id] === undefined);
  const moves = moveProblems(model, Object.fromEntries(others));
  const reserved = reserveSubnets(
    model,
    { zones, places, cidrs: kept },
    others.map(([, { cidr }]) => cidr),
  );
  if (!reserved.ok) return reject([...moves, ...reserved.problems]);
  return moves.length > 0 ? reject(moves) : succeed({ cidrs: reserved.value, places });
}
