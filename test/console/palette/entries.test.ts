import { expect, it } from 'vitest';
import { bestEntries, type Entry } from '../../../src/console/palette/entries.ts';

const entry = (label: string, kind = 'page', words = ''): Entry => ({
  id: label,
  label,
  kind,
  words,
  icon: 'stacks',
  run: () => {},
});

const found = (typed: string): string[] => {
  const all = [
    entry('back-office', 'aws · eu-west-1', 'mo-1'),
    entry('shop-front', 'aws · ap-northeast-1', 'mo-2'),
    entry('Sign out', 'action', 'log out leave'),
    entry('front'),
  ];
  return bestEntries(all, typed).map(({ label }) => label);
};

it('the palette finds by name first, then by other words, in any order', () => {
  expect(found('front')).toEqual(['front', 'shop-front']);
  expect(found('Fro')).toEqual(['front', 'shop-front']);
  expect(found('log')).toEqual(['Sign out']);
  expect(found('eu-west back')).toEqual(['back-office']);
  expect(found('mo-2')).toEqual(['shop-front']);
  expect(found('nothing like it')).toEqual([]);
  expect(found('')).toHaveLength(4);
});
