/** A block of IPv4 addresses: the first one as a number, and how many bits of it are fixed. */
export interface Block {
  first: number;
  prefix: number;
}

const written = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/** How many addresses it holds. */
export const sizeOf = (prefix: number): number => 2 ** (32 - prefix);

export const addressText = (address: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.');

export const formatBlock = ({ first, prefix }: Block): string => `${addressText(first)}/${prefix}`;

export const parseBlock = (text: string): Block | null => {
  const parts = written.exec(text)?.slice(1).map(Number);
  if (!parts) return null;
  const [a = 0, b = 0, c = 0, d = 0, prefix = 0] = parts;
  if (prefix > 32 || Math.max(a, b, c, d) > 255) return null;
  return { first: ((a * 256 + b) * 256 + c) * 256 + d, prefix };
};

export const contains = (outer: Block, inner: Block): boolean =>
  inner.prefix >= outer.prefix &&
  inner.first >= outer.first &&
  inner.first < outer.first + sizeOf(outer.prefix);

export const overlap = (one: Block, other: Block): boolean => contains(one, other) || contains(other, one);

/** What is wrong with a text that should be an IPv4 network, as a sentence, or null when nothing is. */
export const cidrTrouble = (text: string): string | null => {
  const block = parseBlock(text);
  if (!block) return 'must be an IPv4 network such as 10.0.0.0/24.';
  const start = block.first - (block.first % sizeOf(block.prefix));
  if (start === block.first) return null;
  return `is an address inside a network; the network itself is ${formatBlock({ ...block, first: start })}.`;
};
