import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Difference, difference } from '../../src/model/difference.ts';

type Leaves = Map<string, string>;

/** A small set of names, so that trees have members in common; some contain slashes. */
const name = fc.constantFrom('a', 'b', 'c', 'a/b', '~', 'constructor', '1');
const leaf = fc.constantFrom<unknown>(null, true, 0, 1, '', 'x');
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
  ),
}));
const plain = tree.map((value): unknown => JSON.parse(JSON.stringify(value)));

/** All leaves with their paths, by the simplest possible walk. Empty lists and objects have none. */
const leavesOf = (value: unknown, path = '', leaves: Leaves = new Map()): Leaves => {
  const isTree = typeof value === 'object' && value !== null;
  if (!isTree) return leaves.set(path, JSON.stringify(value));
  for (const [key, inner] of Object.entries(value)) {
    const part = Array.isArray(value)
      ? String(Number(key) + 1)
      : key.replaceAll('~', '~0').replaceAll('/', '~1');
    leavesOf(inner, path === '' ? part : `${path}/${part}`, leaves);
  }
  return leaves;
};

const lies = (path: string, at: string): boolean => at === '' || path === at || path.startsWith(`${at}/`);

/** Applies a difference to the leaves of a tree. */
const applied = (before: unknown, { added, removed, edited }: Difference): Leaves => {
  const leaves = leavesOf(before);
  for (const path of [...removed.keys(), ...edited.keys()])
    for (const known of leaves.keys()) if (lies(known, path)) leaves.delete(known);
  for (const [path, value] of added) leavesOf(value, path, leaves);
  for (const [path, { after }] of edited) leavesOf(after, path, leaves);
  return leaves;
};

const pathsOf = ({ added, removed, edited }: Difference): string[] => [
  ...added.keys(),
  ...removed.keys(),
  ...edited.keys(),
];

test('the difference of a tree and itself is empty', () => {
  fc.assert(
    fc.property(plain, (one) => {
      expect(pathsOf(difference(one, structuredClone(one)))).toEqual([]);
    }),
  );
});

test('the difference is empty only for equal trees', () => {
  fc.assert(
    fc.property(plain, plain, (one, other) => {
      expect(pathsOf(difference(one, other)).length === 0).toBe(isDeepStrictEqual(one, other));
    }),
  );
});

test('the difference applied to the first tree gives the second', () => {
  fc.assert(
    fc.property(plain, plain, (one, other) => {
      expect(applied(one, difference(one, other))).toEqual(leavesOf(other));
    }),
  );
});

test('every leaf that differs is reported exactly once, and no other leaf', () => {
  fc.assert(
    fc.property(plain, plain, (one, other) => {
      const found = difference(one, other);
      const paths = pathsOf(found);
      // A list and an object may have a leaf at the same path ("1"); a change of kind is reported as a whole.
      const changedKind = (path: string): boolean => {
        const edit = found.edited.get(path);
        return edit !== undefined && Array.isArray(edit.before) !== Array.isArray(edit.after);
      };
      expect(new Set(paths).size).toBe(paths.length);
      const [before, after] = [leavesOf(one), leavesOf(other)];
      for (const path of new Set([...before.keys(), ...after.keys()])) {
        const tellers = paths.filter((at) => lies(path, at));
        const isSame = before.get(path) === after.get(path) && !tellers.some(changedKind);
        expect(tellers.length, path).toBe(isSame ? 0 : 1);
      }
    }),
  );
});

test('the reverse difference removes what was added and reverts what was edited', () => {
  fc.assert(
    fc.property(plain, plain, (one, other) => {
      const [there, back] = [difference(one, other), difference(other, one)];
      expect(Object.fromEntries(back.removed)).toEqual(Object.fromEntries(there.added));
      expect([...back.edited.keys()].toSorted()).toEqual([...there.edited.keys()].toSorted());
    }),
  );
});

test('the order of named entries does not matter', () => {
  const entry = fc.record({ flag: fc.constantFrom('one', 'two', 'three', 'four'), size: leaf });
  const list = fc.uniqueArray(entry, { selector: ({ flag }) => flag, maxLength: 4 });
  fc.assert(
    fc.property(list, list, (one, other) => {
      const named = new Map([['', 'flag']]);
      const forward = difference(one, other, named);
      expect(difference(one.toReversed(), other, named)).toEqual(forward);
      expect(pathsOf(difference(one, one.toReversed(), named))).toEqual([]);
    }),
  );
});

test('two trees of a megabyte are compared leaf by leaf', () => {
  const big = (value: number) => ({
    list: Array.from({ length: 40 }, (_, index) => ({
      flag: `layer${index}`,
      rules: Array.from({ length: 1000 }, (_rule, rule) => ({ port: rule, cidr: `10.0.${value}.0/24` })),
    })),
  });
  expect(JSON.stringify(big(1)).length).toBeGreaterThan(1_000_000);
  const { edited } = difference(big(1), big(2), new Map([['list', 'flag']]));
  expect(edited.size).toBe(40_000);
});
