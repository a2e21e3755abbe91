const largest = 64;

/**
 * Parts whose sizes are powers of two: lists of any length need only a few texts of statements, which stay prepared, and not
 * one statement for each entry.
 */
export function* inBinaryParts<T>(items: readonly T[]): Generator<T[]> {
  let start = 0;
  for (let size = largest; size >= 1; size /= 2)
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
}

/** The list with a filler that matches nothing at its end, for the same reason. */
export function padded<T>(items: readonly T[], filler: T): T[] {
  const size = items.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array.from({ length: size - items.length }, () => filler)];
}
