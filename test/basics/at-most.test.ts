import { expect, test } from 'vitest';
import { atMost } from '../../src/basics/at-most.ts';

test('no more than so many run at the same time, all run in their order, and an error frees the place', async () => {
  const run = atMost(2);
  const [began, ends]: [number[], (() => void)[]] = [[], []];
  const work = (id: number) =>
    run(async () => {
      began.push(id);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (id === 0) throw new Error('failed');
      return id;
    });
  const all = Promise.allSettled([0, 1, 2, 3].map(work));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  expect(began).toEqual([0, 1]);
  for (let next = 0; next < 4; next += 1) {
    ends[next]?.();
    await turn();
    expect(began.length).toBe(Math.min(4, next + 3));
  }
  expect((await all).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
