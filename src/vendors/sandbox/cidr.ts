/** A block of IPv4 addresses: the first one as a number, and how many there are. */
export interface Block {
  first: number;
  size: number;
}

export function parseCidr(text: string): Block | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text);
  if (!match) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, bits = 0] = match.slice(1).map(Number);
  if (Math.max(a, b, c, d) > 255 || bits > 32) return undefined;
  const size = 2 ** (32 - bits);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  return { first: address - (address % size), size };
}

export const addressText = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');

export const contains = (outer: Block, inner: Block): boolean =>
  inner.first >= outer.first && inner.first + inner.size <= outer.first + outer.size;

export const overlap = (a: Block, b: Block): boolean =>
  a.first < b.first + b.size && b.first < a.first + a.size;

/** As in real clouds, the first four addresses of a subnet and its last are not for servers. */
export const hostCount = (block: Block): number => Math.max(0, block.size - 5);
export const hostAt = (block: Block, index: number): string => addressText(block.first + 4 + index);
