/** An IPv4 network: its first address as a number, and the length of its prefix. */
export interface Block {
  first: number;
  prefix: number;
}

const notation = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/** Number of addresses. */
export const sizeOf = (prefix: number): number => 2 ** (32 - prefix);

export const addressText = (address: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.');

export const formatBlock = ({ first, prefix }: Block): string => `${addressText(first)}/${prefix}`;

export const parseBlock = (text: string): Block | null => {
  const parts = notation.exec(text)?.slice(1).map(Number);
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

/** Checks an IPv4 network in CIDR notation: returns what is wrong, as the end of a sentence, or null. */
export const cidrProblem = (text: string): string | null => {
  const block = parseBlock(text);
  if (!block) return 'must be an IPv4 network such as 10.0.0.0/24.';
  const start = block.first - (block.first % sizeOf(block.prefix));
  if (start === block.first) return null;
  return `has host bits set; use ${formatBlock({ ...block, first: start })}.`;
};
