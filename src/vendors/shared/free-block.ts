import { at, type Outcome, type Problem, reject, succeed } from '../../basics/problem.ts';
import { type Block, contains, formatBlock, overlap, parseBlock, sizeOf } from '../../model/ipv4-block.ts';
import type { StackModel } from '../../model/stack-model.ts';

export const blocksIn = (texts: readonly string[]): Block[] =>
  texts.flatMap((text) => parseBlock(text) ?? []);

/** The free block nearest to the top of a network, where layers rarely are; null: there is none. */
export function topFree(network: Block, prefix: number, taken: readonly Block[]): string | null {
  const count = sizeOf(network.prefix) / sizeOf(prefix);
  for (let index = count - 1; index >= 0; index -= 1) {
    const block = { first: network.first + index * sizeOf(prefix), prefix };
    if (!taken.some((other) => overlap(other, block))) return formatBlock(block);
  }
  return null;
}

interface Reservation {
  model: StackModel;
  network: Block;
  /** Names of the subnets outside layers that need a block, with what the stack uses them for. */
  needed: readonly string[];
  purposes: Readonly<Record<string, string>>;
  prefixOf: (name: string) => number;
  /** Earlier choices by name. */
  before: Readonly<Record<string, string>>;
  /** Other blocks in use. */
  existing?: readonly string[];
}

/**
 * Reserves blocks for subnets outside layers, from the top of the network downwards, where layers rarely are. Earlier choices are kept,
 * so that no subnet moves. A block that is no longer needed is not reused at once: the old subnet still exists while the new one is made.
 */
export function reserveBlocks(reservation: Reservation): Outcome<Record<string, string>> {
  const { model, network, needed, purposes, prefixOf, before, existing = [] } = reservation;
  const kept = new Map(Object.entries(before).filter(([, text]) => isInside(network, text)));
  const problems = [...kept].flatMap(([id, text]) => overlapProblems(model, text, purposes[id] ?? ''));
  if (problems.length > 0) return reject(problems);
  const taken = blocksIn([...model.layers.map(({ subnet }) => subnet.cidr), ...kept.values(), ...existing]);
  const blocks: Record<string, string> = {};
  for (const id of needed) {
    const block = kept.get(id) ?? topFree(network, prefixOf(id), taken);
    if (block === null) return reject([noRoomProblem(model, purposes[id] ?? '')]);
    taken.push(...blocksIn([block]));
    blocks[id] = block;
  }
  return succeed(blocks);
}

const isInside = (network: Block, text: string): boolean =>
  blocksIn([text]).some((block) => contains(network, block));

const overlapProblems = (model: StackModel, text: string, purpose: string): Problem[] =>
  model.layers.flatMap(({ subnet: { cidr } }, index) => {
    const [block, kept] = [parseBlock(cidr), parseBlock(text)];
    if (!block || !kept || !overlap(block, kept)) return [];
    const message = `${cidr} overlaps ${text}, which the stack uses for ${purpose}. Choose another block.`;
    return [{ path: at('layers', index, 'subnet/cidr'), message }];
  });

const noRoomProblem = (model: StackModel, purpose: string): Problem => ({
  path: 'networkCidr',
  message: `The layers leave no free block in ${model.networkCidr} for ${purpose}. Use a larger network or smaller subnets.`,
});
