import { at } from '../../basics/problem.ts';
import { type Block, contains, formatBlock, overlap, parseBlock } from '../../model/ipv4-block.ts';
import type { Report } from '../report.ts';
import { networkCidr } from '../shared-meaning.ts';
import type { TemplateLayer } from './schema.ts';

const network: Block = { first: 10 * 2 ** 24, prefix: 16 };
const smallestSubnet = 28;

const cidrPath = (index: number): string => at('configurations', index, 'provision/subnet/cidr');

const troubleWith = (block: Block): string | null => {
  if (!contains(network, block)) return `must lie inside the stack's network, ${networkCidr}.`;
  return block.prefix > smallestSubnet ? `is too small; the smallest subnet is a /${smallestSubnet}.` : null;
};

/** The first 10.0.n.0/24 that touches none of the others. */
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
    report(cidrPath(index), `overlaps with the subnet of the layer "${layers[earlier]?.flag}".`);
  }
};

/** The addresses of each layer's subnet, in order: as written, or else the next free ones. */
export const assignSubnets = (layers: readonly TemplateLayer[], report: Report): readonly string[] => {
  const written = layers.map((layer) => parseBlock(layer.provision?.subnet?.cidr ?? ''));
  for (const [index, block] of written.entries()) {
    const trouble = block && troubleWith(block);
    if (trouble) report(cidrPath(index), trouble);
  }
  reportOverlaps(layers, written, report);
  const taken = written.filter((block) => block !== null);
  return written.map((block, index) => {
    const own = block ?? nextFree(taken);
    if (!own) report(cidrPath(index), `must be given; no 10.0.n.0/24 inside ${networkCidr} is free.`);
    if (own && !block) taken.push(own);
    return own ? formatBlock(own) : networkCidr;
  });
};
