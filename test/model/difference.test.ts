import { describe, expect, it } from 'vitest';
import { difference } from '../../src/model/difference.ts';

const byName = new Map([['list', 'name']]);

/** The difference as plain objects, which are easier to read in a test. */
const differenceOf = (before: unknown, after: unknown, named: ReadonlyMap<string, string> = byName) => {
  const { added, removed, edited } = difference(before, after, named);
  return {
    added: Object.fromEntries(added),
    removed: Object.fromEntries(removed),
    edited: Object.fromEntries([...edited].map(([path, { before: old, after: now }]) => [path, [old, now]])),
  };
};

const nothing = { added: {}, removed: {}, edited: {} };

describe('differences of members', () => {
  it('ignore the order of equal members', () => {
    expect(differenceOf({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 })).toEqual(nothing);
  });

  it('distinguish added, removed and changed members by path', () => {
    expect(
      differenceOf({ a: 1, gone: true, deep: { x: 'old' } }, { a: 1, deep: { x: 'new', y: null } }),
    ).toEqual({
      added: { 'deep/y': null },
      removed: { gone: true },
      edited: { 'deep/x': ['old', 'new'] },
    });
  });

  it('list added and removed trees leaf by leaf', () => {
    expect(differenceOf({ a: { b: { c: 1, d: [2, 3] } } }, { e: { f: 4, empty: {} } })).toEqual({
      added: { 'e/f': 4, 'e/empty': {} },
      removed: { 'a/b/c': 1, 'a/b/d/1': 2, 'a/b/d/2': 3 },
      edited: {},
    });
  });

  it('report a change of kind as one edit', () => {
    expect(differenceOf({ a: 1, b: { c: 2 }, d: [] }, { a: { x: 1 }, b: null, d: {} }).edited).toEqual({
      a: [1, { x: 1 }],
      b: [{ c: 2 }, null],
      d: [[], {}],
    });
  });

  it('escape slashes and tildes in names, so that paths are unique', () => {
    expect(differenceOf({}, { 'a/b': 1, a: { b: 2 }, '~': 3 }).added).toEqual({
      'a~1b': 1,
      'a/b': 2,
      '~0': 3,
    });
  });

  it('treat names such as __proto__ as ordinary members', () => {
    const before = JSON.parse('{"constructor": [1], "__proto__": 2}');
    const after = JSON.parse('{"constructor": [3], "__proto__": 4}');
    const { edited } = difference(before, after);
    expect([...edited.keys()]).toEqual(['constructor/1', '__proto__']);
  });
});

describe('differences of lists', () => {
  it('compare entries by position, counted from 1', () => {
    expect(differenceOf({ ports: [80, 443] }, { ports: [81, 443, 8080] })).toEqual({
      added: { 'ports/3': 8080 },
      removed: {},
      edited: { 'ports/1': [80, 81] },
    });
  });

  it('match named entries by name and ignore their order', () => {
    const [one, two] = [
      { name: 'one', size: 1 },
      { name: 'two', size: 2 },
    ];
    expect(differenceOf({ list: [one, two] }, { list: [two, one] })).toEqual(nothing);
    expect(
      differenceOf({ list: [one, two] }, { list: [{ name: 'two', size: 3 }, { name: 'three' }] }),
    ).toEqual({
      added: { 'list/three/name': 'three' },
      removed: { 'list/one/name': 'one', 'list/one/size': 1 },
      edited: { 'list/two/size': [2, 3] },
    });
  });

  it('compare single named entries directly, even with different names', () => {
    expect(
      differenceOf({ list: [{ name: 'one', size: 1 }] }, { list: [{ name: 'other', size: 2 }] }).edited,
    ).toEqual({
      'list/name': ['one', 'other'],
      'list/size': [1, 2],
    });
  });

  it('name entries when only one side has a single entry', () => {
    const one = { name: 'one', size: 1 };
    expect(differenceOf({ list: [one] }, { list: [one, { name: 'two' }] }).added).toEqual({
      'list/two/name': 'two',
    });
    expect(differenceOf({ list: [one, { name: 'two' }] }, { list: [{ name: 'one', size: 2 }] })).toEqual({
      added: {},
      removed: { 'list/two/name': 'two' },
      edited: { 'list/one/size': [1, 2] },
    });
  });

  it('compare entries by position when names are duplicate or missing', () => {
    const twice = [
      { name: 'one', size: 1 },
      { name: 'one', size: 2 },
    ];
    expect(differenceOf({ list: twice }, { list: [twice[0], { size: 2 }] }).removed).toEqual({
      'list/2/name': 'one',
    });
    expect(differenceOf({ list: [1, 2] }, { list: [1, 3] }).edited).toEqual({ 'list/2': [2, 3] });
  });
});
