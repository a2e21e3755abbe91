import { describe, expect, it } from 'vitest';
import { difference } from '../../src/model/difference.ts';

const byName = new Map([['list', 'name']]);

/** As plain objects, which read better in a test. */
const told = (before: unknown, after: unknown, named: ReadonlyMap<string, string> = byName) => {
  const { added, removed, edited } = difference(before, after, named);
  return {
    added: Object.fromEntries(added),
    removed: Object.fromEntries(removed),
    edited: Object.fromEntries([...edited].map(([path, { before: old, after: now }]) => [path, [old, now]])),
  };
};

const nothing = { added: {}, removed: {}, edited: {} };

describe('members', () => {
  it('that are equal are no difference, whatever their order', () => {
    expect(told({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 })).toEqual(nothing);
  });

  it('that are new, gone or changed are told apart, each under its path', () => {
    expect(told({ a: 1, gone: true, deep: { x: 'old' } }, { a: 1, deep: { x: 'new', y: null } })).toEqual({
      added: { 'deep/y': null },
      removed: { gone: true },
      edited: { 'deep/x': ['old', 'new'] },
    });
  });

  it('that come or go with much below them are told leaf by leaf', () => {
    expect(told({ a: { b: { c: 1, d: [2, 3] } } }, { e: { f: 4, empty: {} } })).toEqual({
      added: { 'e/f': 4, 'e/empty': {} },
      removed: { 'a/b/c': 1, 'a/b/d/1': 2, 'a/b/d/2': 3 },
      edited: {},
    });
  });

  it('that change their kind are edited as a whole', () => {
    expect(told({ a: 1, b: { c: 2 }, d: [] }, { a: { x: 1 }, b: null, d: {} }).edited).toEqual({
      a: [1, { x: 1 }],
      b: [{ c: 2 }, null],
      d: [[], {}],
    });
  });

  it('with a slash or tilde in their name have a path of their own', () => {
    expect(told({}, { 'a/b': 1, a: { b: 2 }, '~': 3 }).added).toEqual({ 'a~1b': 1, 'a/b': 2, '~0': 3 });
  });

  it('called like parts of the language are members like others', () => {
    const before = JSON.parse('{"constructor": [1], "__proto__": 2}');
    const after = JSON.parse('{"constructor": [3], "__proto__": 4}');
    const { edited } = difference(before, after);
    expect([...edited.keys()]).toEqual(['constructor/1', '__proto__']);
  });
});

describe('lists', () => {
  it('are compared by position, counted from 1', () => {
    expect(told({ ports: [80, 443] }, { ports: [81, 443, 8080] })).toEqual({
      added: { 'ports/3': 8080 },
      removed: {},
      edited: { 'ports/1': [80, 81] },
    });
  });

  it('of named entries are matched by name, so that order is no difference', () => {
    const [one, two] = [
      { name: 'one', size: 1 },
      { name: 'two', size: 2 },
    ];
    expect(told({ list: [one, two] }, { list: [two, one] })).toEqual(nothing);
    expect(told({ list: [one, two] }, { list: [{ name: 'two', size: 3 }, { name: 'three' }] })).toEqual({
      added: { 'list/three/name': 'three' },
      removed: { 'list/one/name': 'one', 'list/one/size': 1 },
      edited: { 'list/two/size': [2, 3] },
    });
  });

  it('of one named entry each are compared without naming it, also when it is called something else', () => {
    expect(told({ list: [{ name: 'one', size: 1 }] }, { list: [{ name: 'other', size: 2 }] }).edited).toEqual(
      {
        'list/name': ['one', 'other'],
        'list/size': [1, 2],
      },
    );
  });

  it('with one entry on one side only name it', () => {
    const one = { name: 'one', size: 1 };
    expect(told({ list: [one] }, { list: [one, { name: 'two' }] }).added).toEqual({ 'list/two/name': 'two' });
    expect(told({ list: [one, { name: 'two' }] }, { list: [{ name: 'one', size: 2 }] })).toEqual({
      added: {},
      removed: { 'list/two/name': 'two' },
      edited: { 'list/one/size': [1, 2] },
    });
  });

  it('whose entries share a name, or have none, are compared by position', () => {
    const twice = [
      { name: 'one', size: 1 },
      { name: 'one', size: 2 },
    ];
    expect(told({ list: twice }, { list: [twice[0], { size: 2 }] }).removed).toEqual({
      'list/2/name': 'one',
    });
    expect(told({ list: [1, 2] }, { list: [1, 3] }).edited).toEqual({ 'list/2': [2, 3] });
  });
});
