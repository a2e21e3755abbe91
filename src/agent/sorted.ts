/** `toSorted` for Node 18, which instances run. */
export const sorted = <T>(items: Iterable<T>, compare: (one: T, other: T) => number): T[] => {
  const copy = [...items];
  // oxlint-disable-next-line unicorn/no-array-sort -- sorts a copy
  return copy.sort(compare);
};

export const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
