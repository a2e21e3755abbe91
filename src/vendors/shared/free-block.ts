import { type Block, formatBlock, overlap, parseBlock, sizeOf } from '../../model/ipv4-block.ts';

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
