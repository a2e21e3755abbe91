import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/basics/clock.ts';
import { RepeatedLook } from '../../src/reconcile/repeated-look.ts';

const microtasks = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += 1) await Promise.resolve();
};

function looking() {
  const clock = new VirtualClock();
  let count = 0;
  const looks = new RepeatedLook({
    clock,
    look: async () => {
      count += 1;
      return 1_000;
    },
  });
  return { clock, looks, count: () => count };
}

describe('a repeated look', () => {
  it.each(Array.from({ length: 10 }, (_, moment) => moment))(
    'goes on if it is asked for again %i moments after it began',
    async (moment) => {
      const { clock, looks, count } = looking();
      looks.start();
      await microtasks(moment);
      looks.start();
      await microtasks(50);
      const before = count();
      for (const more of [1, 2, 3]) {
        clock.advance(1_000);
        await microtasks(50);
        expect(count()).toBe(before + more);
      }
    },
  );

  it('ends for good', async () => {
    const { clock, looks, count } = looking();
    looks.start();
    await looks.end();
    looks.start();
    clock.advance(10_000);
    await microtasks(50);
    expect(count()).toBe(1);
  });
});
