import { type Outcome, reject } from '../../../basics/problem.ts';
import { type Block, parseBlock } from '../../../model/ipv4-block.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { reserveBlocks } from '../../shared/free-block.ts';
import type { Choices } from '../choices.ts';
import * as names from '../names.ts';
import { placeBalancers } from './balancer-places.ts';
import { needsNat, type Placement } from './placement.ts';

/** Subnets outside layers, and their purpose. */
const purposes: Readonly<Record<string, string>> = {
  [names.balancerSubnet]: 'the load balancers, which need a second zone',
  [names.dataSubnet(1)]: 'databases and caches',
  [names.dataSubnet(2)]: 'databases and caches',
  [names.natSubnet]: 'the NAT gateway of the private subnets',
};

/** A /24 in a network of the usual size, /16. The minimum of AWS is /28, and /27 for load balancers. */
const prefixIn = (network: Block, id: string): number =>
  Math.min(id === names.balancerSubnet ? 27 : 28, network.prefix + 8);

/** Reserves blocks for subnets outside layers. `existing`: blocks of subnets that still exist while new ones are created. */
export function reserveSubnets(
  model: StackModel,
  decided: Placement & Pick<Choices, 'cidrs'>,
  existing: readonly string[] = [],
): Outcome<Record<string, string>> {
  const network = parseBlock(model.networkCidr);
  if (!network)
    return reject([{ path: 'networkCidr', message: `${model.networkCidr} is not an IPv4 network.` }]);
  const needed = neededSubnets(model, decided);
  const prefixOf = (id: string): number => prefixIn(network, id);
  return reserveBlocks({ model, network, needed, purposes, prefixOf, before: decided.cidrs, existing });
}

/** The subnets a model needs in addition to those of its layers. */
function neededSubnets(model: StackModel, placement: Placement): string[] {
  const needed: string[] = [];
  if (placeBalancers(model, placement).ownZone !== null) needed.push(names.balancerSubnet);
  if (model.databases.length + model.caches.length > 0) needed.push(names.dataSubnet(1), names.dataSubnet(2));
  if (model.layers.some((layer) => needsNat(model, layer))) needed.push(names.natSubnet);
  return needed;
}
