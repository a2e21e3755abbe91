import { entryOf } from '../../../basics/entry-of.ts';

/**
 * Groups of equivalent instance families: equal CPU count, memory and architecture for the same size. Not every family
 * and region has every size, so availability is read from AWS.
 */
const general = ['m5', 'm5a', 'm6i', 'm6a', 'm7i', 'm7a'];
const compute = ['c5', 'c5a', 'c6i', 'c6a', 'c7i', 'c7a'];
const memory = ['r5', 'r5a', 'r6i', 'r6a', 'r7i', 'r7a'];
const equivalents: readonly (readonly string[])[] = [
  ['t3', 't3a'],
  general,
  compute,
  memory,
  ['m6g', 'm7g', 'm8g'],
  ['c6g', 'c7g', 'c8g'],
  ['r6g', 'r7g', 'r8g'],
];

/** Current families that replace previous generations, but not the other way round. */
const successors: Readonly<Record<string, readonly string[]>> = {
  t2: ['t3', 't3a'],
  m4: general,
  c4: compute,
  r4: memory,
  m3: general,
  c3: compute,
  r3: memory,
};

/** Sizes that the current families do not have. */
const exceptions: Readonly<Record<string, readonly string[]>> = { 'm3.medium': ['t3.medium', 't3a.medium'] };

/** More rarely help, and each adds to the template. */
const maxSiblings = 4;

/** Equivalents of an instance type, closest first. */
export function siblingsOf(type: string): string[] {
  const [family = '', size = ''] = type.split('.');
  const families = entryOf(successors, family) ?? equivalents.find((group) => group.includes(family)) ?? [];
  const types = entryOf(exceptions, type) ?? families.map((other) => `${other}.${size}`);
  return types.filter((other) => other !== type).slice(0, maxSiblings);
}
