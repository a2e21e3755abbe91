import { at, type Outcome, type Problem, reject, succeed } from '../../../basics/problem.ts';
import { contains, overlap, parseBlock } from '../../../model/ipv4-block.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { blocksIn, topFree } from '../../shared/free-block.ts';
import * as names from '../names.ts';
import { hasDataSubnet, hasStandby, needsNat } from './placement.ts';

/** VSwitches outside layers, and their purpose. */
const purposes: Readonly<Record<string, string>> = {
  [names.dataSubnet(1)]: 'databases and caches',
  [names.dataSubnet(2)]: 'standbys of databases',
  [names.natSubnet]: 'the NAT gateway of the private subnets',
};

/** The VSwitches a model needs in addition to those of its layers. */
export const ownSubnets = (model: StackModel): string[] => [
  ...(hasDataSubnet(model) ? [names.dataSubnet(1)] : []),
  ...(hasStandby(model) ? [names.dataSubnet(2)] : []),
  ...(model.layers.some((layer) => needsNat(model, layer)) ? [names.natSubnet] : []),
];

/** A /24 in a network of the usual size, /16. The smallest of Alibaba Cloud is /29. */
const prefixIn = (networkPrefix: number): number => Math.min(28, networkPrefix + 8);

/** Blocks for the VSwitches outside layers, from the top of the network downwards. Earlier choices stay, so that nothing moves. */
export function reserveSubnets(
  model: StackModel,
  before: Readonly<Record<string, string>>,
): Outcome<Record<string, string>> {
  const network = parseBlock(model.networkCidr);
  if (!network) return succeed({});
  const kept = Object.entries(before).filter(([, text]) =>
    blocksIn([text]).some((block) => contains(network, block)),
  );
  const problems = kept.flatMap(([id, text]) => overlaps(model, id, text));
  if (problems.length > 0) return reject(problems);
  const taken = blocksIn([...model.layers.map(({ subnet }) => subnet.cidr), ...kept.map(([, text]) => text)]);
  const blocks: Record<string, string> = {};
  for (const id of ownSubnets(model)) {
    const found =
      kept.find(([name]) => name === id)?.[1] ?? topFree(network, prefixIn(network.prefix), taken);
    if (found === null) return reject([noRoom(model, id)]);
    taken.push(...blocksIn([found]));
    blocks[id] = found;
  }
  return succeed(blocks);
}

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
