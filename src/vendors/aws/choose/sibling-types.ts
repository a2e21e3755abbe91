/**
 * Families whose sizes are as good as those of the family they stand beside: as many processors, as much memory, the
 * same architecture. Not every size is in every family and region: the cloud is asked which there are.
 */
const general = ['m5', 'm5a', 'm6i', 'm6a', 'm7i', 'm7a'];
const compute = ['c5', 'c5a', 'c6i', 'c6a', 'c7i', 'c7a'];
const memory = ['r5', 'r5a', 'r6i', 'r6a', 'r7i', 'r7a'];
const alike: readonly (readonly string[])[] = [
  ['t3', 't3a'],
  general,
  compute,
  memory,
  ['m6g', 'm7g', 'm8g'],
  ['c6g', 'c7g', 'c8g'],
  ['r6g', 'r7g', 'r8g'],
];

/** Former generations: the present ones stand in for them, but not the other way round. */
const successors: Readonly<Record<string, readonly string[]>> = {
  t2: ['t3', 't3a'],
  m4: general,
  c4: compute,
  r4: memory,
  m3: general,
  c3: compute,
  r3: memory,
};

/** Sizes the succeeding families do not have. */
const exceptions: Readonly<Record<string, readonly string[]>> = { 'm3.medium': ['t3.medium', 't3a.medium'] };

/** More would seldom help, and each is a line in the template. */
const maxSiblings = 4;

/** Types as good as one, the nearest first. */
export function siblingsOf(type: string): string[] {
  const [family = '', size = ''] = type.split('.');
  const families = successors[family] ?? alike.find((group) => group.includes(family)) ?? [];
  const types = exceptions[type] ?? families.map((other) => `${other}.${size}`);
  return types.filter((other) => other !== type).slice(0, maxSiblings);
}
