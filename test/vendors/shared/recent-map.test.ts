import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { RecentMap } from '../../../src/vendors/shared/recent-map.ts';

const minute = 60_000;

test('entries of any number of stacks are kept while the stacks are observed', () => {
  const clock = new VirtualClock();
  const kept = new RecentMap<number>(clock);
  const ids = Array.from({ length: 2000 }, (_, index) => `mo-${index}`);
  ids.forEach((id, index) => {
    kept.set(id, index);
  });
  for (const _ of [1, 2, 3, 4, 5]) {
    clock.advance(10 * minute);
    expect(ids.every((id, index) => kept.get(id) === index)).toBe(true);
  }
});

test('entries of stacks that nobody asks for are dropped', () => {
  const clock = new VirtualClock();
  const kept = new RecentMap<number>(clock);
  kept.set('ended', 1);
  clock.advance(20 * minute);
  kept.set('used', 2);
  clock.advance(20 * minute);
  kept.set('new', 3);
  expect([kept.get('ended'), kept.get('used'), kept.get('new'), kept.size]).toEqual([undefined, 2, 3, 2]);
});
