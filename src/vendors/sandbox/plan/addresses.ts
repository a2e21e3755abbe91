import { createHash } from 'node:crypto';
import { addressText, type Block, parseBlock, sizeOf } from '../../../model/ipv4-block.ts';
import type { Resource } from '../cloud.ts';

/** The ranges reserved for documentation (RFC 5737). They are not routed. */
const publicRanges = ['203.0.113.', '198.51.100.'];
const publicAddresses = publicRanges.flatMap((range) =>
  Array.from({ length: 254 }, (_, index) => `${range}${index + 1}`),
);

/** As in real clouds, the first four addresses of a subnet and the last are reserved. */
export const hostCount = (block: Block): number => Math.max(0, sizeOf(block.prefix) - 5);
const hostAt = (block: Block, index: number): string => addressText(block.first + 4 + index);

/** Assigns addresses that no server of the stack has. */
export interface AddressBook {
  takePrivate(cidr: string): string;
  takePublic(): string;
}

export function addressBook(stackId: string, existing: readonly Resource[]): AddressBook {
  const taken = new Set(existing.flatMap(({ privateIp, publicIp }) => [privateIp, publicIp]));
  // Stacks start at different offsets, so that two of them rarely have the same address.
  const offset = createHash('sha256').update(stackId).digest().readUInt32BE(0);
  const cursors = new Map<string, number>();
  const take = (range: string, count: number, candidate: (index: number) => string): string => {
    let index = cursors.get(range) ?? 0;
    while (index < count && taken.has(candidate(index))) index++;
    cursors.set(range, index + 1);
    // Wraps around only if a stack has more public servers than there are addresses, or if an update has old and new
    // servers in a full subnet.
    return candidate(count > 0 ? index % count : 0);
  };
  return {
    takePrivate: (cidr) => {
      const block = parseBlock(cidr) ?? { first: 0, prefix: 32 };
      return take(cidr, hostCount(block), (index) => hostAt(block, index));
    },
    takePublic: () =>
      take(
        'public',
        publicAddresses.length,
        (index) => publicAddresses[(offset + index) % publicAddresses.length] ?? '',
      ),
  };
}
