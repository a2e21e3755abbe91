import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { TokenBuckets } from '../../../src/server/http/rate-limit.ts';

const takeMany = (buckets: TokenBuckets, key: string, times: number): number =>
  Array.from({ length: times }, () => buckets.take(key)).filter((wait) => wait === 0).length;

describe('a token bucket', () => {
  it('a bucket allows a burst of two seconds, then the rate per second', () => {
    const clock = new VirtualClock();
    const buckets = new TokenBuckets(clock, 10);
    expect(takeMany(buckets, 'a', 30)).toBe(20);
    clock.advance(1000);
    expect(takeMany(buckets, 'a', 30)).toBe(10);
    clock.advance(60_000);
    expect(takeMany(buckets, 'a', 30)).toBe(20);
  });

  it('a bucket returns the wait for the next token, and failed attempts cost nothing', () => {
    const clock = new VirtualClock();
    const buckets = new TokenBuckets(clock, 0.5);
    expect(buckets.take('a')).toBe(0);
    expect(buckets.take('a')).toBe(2);
    clock.advance(1500);
    expect(buckets.take('a')).toBe(0.5);
    clock.advance(500);
    expect(buckets.take('a')).toBe(0);
  });

  it('each key has its own bucket', () => {
    const buckets = new TokenBuckets(new VirtualClock(), 1);
    expect(takeMany(buckets, 'a', 5)).toBe(2);
    expect(takeMany(buckets, 'b', 5)).toBe(2);
  });

  it('a request takes from all of its buckets or from none, and waits for the slowest', () => {
    const clock = new VirtualClock();
    const buckets = new TokenBuckets(clock, 0);
    const [account, user] = [
      { key: 'account', perSecond: 2 },
      { key: 'user', perSecond: 0.5 },
    ];
    expect(buckets.takeAll([account, user])).toBe(0);
    expect(buckets.takeAll([account, user])).toBe(2);
    expect([1, 2, 3, 4].map(() => buckets.takeAll([account]))).toEqual([0, 0, 0, 0.5]);
    clock.advance(2000);
    expect(buckets.takeAll([account, user])).toBe(0);
  });

  it('a request that keeps a part for others waits while only that part is left', () => {
    const clock = new VirtualClock();
    const buckets = new TokenBuckets(clock, 0);
    const modest = { key: 'a', perSecond: 5, keeps: 0.2 };
    const takes = (demand: typeof modest) =>
      Array.from({ length: 20 }, () => buckets.takeAll([demand])).filter((wait) => wait === 0).length;
    expect(takes(modest)).toBe(8);
    expect(buckets.takeAll([modest])).toBe(0.2);
    expect(takes({ ...modest, keeps: 0 })).toBe(2);
  });

  it('a bucket for less than one request in its burst still lets one request through', () => {
    const buckets = new TokenBuckets(new VirtualClock(), 0);
    expect(buckets.takeAll([{ key: 'a', perSecond: 0.1, keeps: 0.2 }])).toBe(0);
  });

  it('full buckets are dropped, and the number of buckets is limited', () => {
    const clock = new VirtualClock();
    const buckets = new TokenBuckets(clock, 10);
    for (let each = 0; each < 12_000; each += 1) buckets.take(`caller ${each}`);
    expect(buckets.size).toBe(10_000);
    clock.advance(2000);
    buckets.take('one more');
    expect(buckets.size).toBe(1);
  });

  it('a bucket does not change when the clock is set back', () => {
    let now = 1_000_000;
    const buckets = new TokenBuckets({ now: () => now, after: () => () => {} }, 1);
    expect(takeMany(buckets, 'a', 3)).toBe(2);
    now -= 500_000;
    expect(buckets.take('a')).toBe(1);
    now += 1000;
    expect(buckets.take('a')).toBe(0);
  });
});
