import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { AdaptiveRead } from '../../../src/vendors/shared/adaptive-read.ts';
import { RateBudget } from '../../../src/vendors/shared/rate-budget.ts';
import { Sequence } from '../../../src/vendors/shared/shared-read.ts';

const perPage = 50;

/** An account with some things of ours among those of others, which counts the calls. */
function account({ own, others, listable = true }: { own: number; others: number; listable?: boolean }) {
  const clock = new VirtualClock();
  const world = { calls: 0, others, listable };
  const names = Array.from({ length: own }, (_, index) => `ours-${index}`);
  const pages = () => Math.max(1, Math.ceil((own + world.others) / perPage));
  const reading = new AdaptiveRead<string>({
    clock,
    sequence: new Sequence(),
    budget: new RateBudget(clock, { perSecond: 10, burst: 10_000 }),
    windowMs: 5_000,
    reader: {
      one: async (name) => {
        world.calls += 1;
        return names.includes(name) ? `state of ${name}` : undefined;
      },
      all: async (maxPages) => {
        for (let page = 1; page <= maxPages(); page += 1) {
          world.calls += 1;
          if (!world.listable) return undefined;
          if (page === pages())
            return { pages: page, values: new Map(names.map((name) => [name, `state of ${name}`])) };
          await Promise.resolve();
        }
        return undefined;
      },
    },
  });
  /** Looks at the first of ours, some at a time like the reconciler, and returns the number of calls. */
  const round = async (count = own): Promise<number> => {
    clock.advance(10_000);
    const before = world.calls;
    for (let from = 0; from < count; from += 16) {
      const wave = names.slice(from, Math.min(count, from + 16));
      const seen = await Promise.all(wave.map((name) => reading.get(name, 4_000)));
      expect(seen.map(({ value }) => value)).toEqual(wave.map((name) => `state of ${name}`));
    }
    return world.calls - before;
  };
  return { clock, world, reading, round };
}

describe('looking at our things in an account', () => {
  it('takes one call for each of ours among 5,000 of others', async () => {
    const { round } = account({ own: 3, others: 5_000 });
    expect(await round()).toBeLessThanOrEqual(10);
    for (let repeat = 0; repeat < 5; repeat += 1) expect(await round()).toBe(3);
  });

  it('takes one call for each page if most are ours', async () => {
    const { round } = account({ own: 1_000, others: 0 });
    await round();
    for (let repeat = 0; repeat < 5; repeat += 1) expect(await round()).toBeLessThanOrEqual(2 * 20);
  });

  it('takes one call for any number of ours on one page', async () => {
    const { round } = account({ own: 30, others: 5 });
    expect(await round()).toBe(1);
    expect(await round(1)).toBe(1);
  });

  it('takes one call for one changing stack, also right after all idle ones were looked at', async () => {
    const { round } = account({ own: 200, others: 5_000 });
    await round(200);
    expect(await round(1)).toBe(1);
    expect(await round(1)).toBe(1);
  });

  it.each([
    { own: 1, others: 60 },
    { own: 40, others: 2_000 },
    { own: 100, others: 5_000 },
    { own: 150, others: 5_000 },
    { own: 400, others: 5_000 },
  ])('takes at most twice the calls of the better way: %o', async ({ own, others }) => {
    const { round } = account({ own, others });
    for (let repeat = 0; repeat < 4; repeat += 1) await round();
    expect(await round()).toBeLessThanOrEqual(2 * Math.min(own, Math.ceil((own + others) / perPage)));
  });

  it('notices within an hour or two that the account became smaller', async () => {
    const { clock, world, round } = account({ own: 20, others: 5_000 });
    expect(await round()).toBeGreaterThanOrEqual(20);
    world.others = 0;
    clock.advance(2 * 3_600_000);
    await round();
    expect(await round()).toBe(1);
  });

  it('reads ours by name if listing everything is not allowed', async () => {
    const { round } = account({ own: 2, others: 0, listable: false });
    await round();
    expect(await round()).toBeLessThanOrEqual(3);
  });

  it('reports what is not there as absent', async () => {
    const { reading } = account({ own: 1, others: 5_000 });
    expect((await reading.get('missing', 0)).value).toBeUndefined();
  });
});

describe('a rate budget', () => {
  it('lets a burst through at once, and the rest at its rate', async () => {
    const clock = new VirtualClock();
    const budget = new RateBudget(clock, { perSecond: 10, burst: 5 });
    let passed = 0;
    for (let call = 0; call < 10; call += 1) void budget.take().then(() => (passed += 1));
    await Promise.resolve();
    await Promise.resolve();
    expect(passed).toBe(5);
    for (const expected of [6, 7, 8, 9, 10]) {
      clock.advance(100);
      await Promise.resolve();
      await Promise.resolve();
      expect(passed).toBe(expected);
    }
  });
});
