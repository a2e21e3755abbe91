import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import { contains, overlap, parseBlock } from '../../../model/ipv4-block.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { blocksIn, topFree } from '../../shared/free-block.ts';

export const hasDataNetwork = ({ databases, caches }: StackModel): boolean =>
  databases.length + caches.length > 0;

/** The smallest network with room for the databases and caches of a stack, and the usual one in a network of the usual size, /16. */
const prefixIn = (networkPrefix: number): number => Math.min(27, networkPrefix + 8);

/**
 * The block of the network of databases and caches, from the top of the stack's network. An earlier choice stays, so that
 * nothing moves. Empty: the stack has neither.
 */
export function reserveDataBlock(model: StackModel, before: string): Outcome<string> {
  const network = parseBlock(model.networkCidr);
  if (!network || !hasDataNetwork(model)) return succeed('');
  const taken = blocksIn(model.layers.map(({ subnet }) => subnet.cidr));
  const kept = parseBlock(before);
  if (kept && contains(network, kept)) {
    const index = taken.findIndex((block) => overlap(block, kept));
    if (index < 0) return succeed(before);
    const message = `${model.layers[index]?.subnet.cidr} overlaps ${before}, which the stack uses for databases and caches. Choose another block.`;
    return reject([{ path: `layers/${index}/subnet/cidr`, message }]);
  }
  const free = topFree(network, prefixIn(network.prefix), taken);
  if (free !== null) return succeed(free);
  const message = `The layers leave no free block in ${model.networkCidr} for databases and caches. Use a larger network or smaller subnets.`;
  return reject([{ path: 'networkCidr', message }]);
}
