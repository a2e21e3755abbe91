import { expect, it } from 'vitest';
import { actsOnStack, bestEntries, type Entry } from '../../../src/console/palette/entries.ts';

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

it('the palette offers what can be done with the stack that is open: no edit while it is being deleted, no versions of API v2', () => {
  const acts = (stack_status: 'UPDATE_COMPLETE' | 'DELETE_IN_PROGRESS', api: 'v2' | 'v3') =>
    actsOnStack({ stack_id: 'mo-1', nickname: 'shop', stack_status, interface: api }, () => {}).map(
      ({ label }) => label,
    );
  const all = [
    'Edit shop',
    'Compare versions of shop',
    'See instances of shop',
    'See data of shop',
    'Delete shop',
  ];
  expect(acts('UPDATE_COMPLETE', 'v3')).toEqual(all);
  expect(acts('DELETE_IN_PROGRESS', 'v3')).toEqual(all.slice(1));
  expect(acts('UPDATE_COMPLETE', 'v2')).toEqual(['Edit shop', ...all.slice(2)]);
});

it('an act on the open stack leads to its page', () => {
  const went: string[] = [];
  const row = {
    stack_id: 'mo-1',
    nickname: 'shop',
    stack_status: 'UPDATE_COMPLETE',
    interface: 'v3',
  } as const;
  for (const { run } of actsOnStack(row, (to) => went.push(to))) run();
  expect(went).toEqual(
    ['edit', 'versions', 'instances', 'data', 'settings'].map((page) => `/stack/mo-1/${page}`),
  );
});
