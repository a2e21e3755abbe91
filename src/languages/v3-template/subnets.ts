import { at } from '../../basics/problem.ts';
import { type Block, contains, formatBlock, overlap, parseBlock } from '../../model/ipv4-block.ts';
import { networkCidr } from '../defaults.ts';
import type { Report } from '../report.ts';
import type { TemplateLayer } from './schema.ts';

const network: Block = { first: 10 * 2 ** 24, prefix: 16 };
const maxPrefix = 28;

const cidrPath = (index: number): string => at('configurations', index, 'provision/subnet/cidr');

const blockProblem = (block: Block): string | null => {
  if (!contains(network, block)) return `must be inside the stack's network, ${networkCidr}.`;
  return block.prefix > maxPrefix ? `is too small; the smallest subnet is /${maxPrefix}.` : null;
};

/** The first 10.0.n.0/24 that overlaps with no other block. */
const nextFree = (taken: readonly Block[]): Block | null => {
  for (let third = 0; third < 256; third++) {
    const block = { first: network.first + third * 256, prefix: 24 };
    if (!taken.some((other) => overlap(block, other))) return block;
  }
  return null;
};

const reportOverlaps = (
  layers: readonly TemplateLayer[],
  blocks: readonly (Block | null)[],
  report: Report,
) => {
  for (const [index, block] of blocks.entries()) {
    const earlier = blocks.findIndex((other) => other && block && overlap(block, other));
    if (earlier === -1 || earlier >= index) continue;
    report(cidrPath(index), `overlaps with the subnet of layer "${layers[earlier]?.flag}".`);
  }
};

/** The network of each layer's subnet, in order: as written, or else the next free one. */
export const assignSubnets = (layers: readonly TemplateLayer[], report: Report): readonly string[] => {
  const written = layers.map((layer) => parseBlock(layer.provision?.subnet?.cidr ?? ''));
  for (const [index, block] of written.entries()) {
    const problem = block && blockProblem(block);
    if (problem) report(cidrPath(index), problem);
  }
  reportOverlaps(layers, written, report);
  const taken = written.filter((block) => block !== null);
  return written.map((block, index) => {
    const own = block ?? nextFree(taken);
    if (!own) report(cidrPath(index), `is required, because no 10.0.n.0/24 inside ${networkCidr} is free.`);
    if (own && !block) taken.push(own);
    return own ? formatBlock(own) : networkCidr;
  });
};
