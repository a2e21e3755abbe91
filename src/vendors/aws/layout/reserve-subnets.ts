import { at, type Outcome, type Problem, reject, succeed } from '../../../basics/problem.ts';
import { type Block, contains, overlap, parseBlock } from '../../../model/ipv4-block.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { blocksIn, topFree } from '../../shared/free-block.ts';
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

/**
 * Reserves CIDR blocks for subnets outside layers, from the top of the network downwards, where layers rarely are.
 * Earlier choices are kept, so that no subnet moves. A block that is no longer needed is not reused at once, because the
 * old subnet still exists while the new one is created. `existing`: other blocks in use for the same reason.
 */
export function reserveSubnets(
  model: StackModel,
  decided: Placement & Pick<Choices, 'cidrs'>,
  existing: readonly string[] = [],
): Outcome<Record<string, string>> {
  const network = parseBlock(model.networkCidr);
  if (!network)
    return reject([{ path: 'networkCidr', message: `${model.networkCidr} is not an IPv4 network.` }]);
  const needed = neededSubnets(model, decided);
  const kept = new Map(Object.entries(decided.cidrs).filter(([, text]) => isInside(network, text)));
  const problems = [...kept].flatMap(([id, text]) => overlaps(model, id, text));
  if (problems.length > 0) return reject(problems);
  const taken = blocksIn([...model.layers.map(({ subnet }) => subnet.cidr), ...kept.values(), ...existing]);
  const blocks: Record<string, string> = {};
  for (const id of needed) {
    const block = kept.get(id) ?? topFree(network, prefixIn(network, id), taken);
    if (!block) return reject([noRoom(model, id)]);
    taken.push(...blocksIn([block]));
    blocks[id] = block;
  }
  return succeed(blocks);
}

/** The subnets a model needs in addition to those of its layers. */
function neededSubnets(model: StackModel, placement: Placement): string[] {
  const needed: string[] = [];
  if (placeBalancers(model, placement).ownZone !== null) needed.push(names.balancerSubnet);
  if (model.databases.length + model.caches.length > 0) needed.push(names.dataSubnet(1), names.dataSubnet(2));
  if (model.layers.some((layer) => needsNat(model, layer))) needed.push(names.natSubnet);
  return needed;
}

const isInside = (network: Block, text: string): boolean =>
  blocksIn([text]).some((block) => contains(network, block));

const overlaps = (model: StackModel, id: string, text: string): Problem[] =>
  model.layers.flatMap(({ subnet: { cidr } }, index) => {
    const [block, kept] = [parseBlock(cidr), parseBlock(text)];
    if (!block || !kept || !overlap(block, kept)) return [];
    const message = `${cidr} overlaps ${text}, which the stack uses for ${purposes[id]}. Choose another block.`;
    return [{ path: at('layers', index, 'subnet/cidr'), message }];
  });

const noRoom = (model: StackModel, id: string): Problem => ({
  path: 'networkCidr',
  message: `The layers leave no free block in ${model.networkCidr} for ${purposes[id]}. Use a larger network or smaller subnets.`,
});
