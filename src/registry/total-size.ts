/** Manifests may claim any sizes. The sum stays in the range of a database column and of numbers in JSON. */
export const totalSize = (sizes: Iterable<number>): number => {
  let sum = 0;
  for (const size of sizes) sum = Math.min(sum + size, Number.MAX_SAFE_INTEGER);
  return sum;
};
