import { describe, expect, it } from 'vitest';
import { delayBefore, livenessOf } from '../../../src/console/live/liveness.ts';

const second = 1000;

describe('what the page says about being live', () => {
  it.each([
    ['live up to 12 s after the last heartbeat', 11.9 * second, 'live'],
    ['reconnecting from 12 s', 12 * second, 'reconnecting'],
    ['stopped from 30 s', 30 * second, 'stopped'],
  ])('is %s', (_, silence, state) => {
    expect(livenessOf(1000, 0, 1000 + silence).state).toBe(state);
  });

  it('is never live before the first heartbeat', () => {
    expect(livenessOf(null, 0, 10)).toEqual({ state: 'reconnecting' });
  });

  it('counts the stop from the last heartbeat', () => {
    expect(livenessOf(5000, 0, 99_000)).toEqual({ state: 'stopped', since: 5000 });
  });
});

describe('the delay before the next connection', () => {
  it('is short after a planned end, then grows from half a second to at most 30 s', () => {
    expect(delayBefore(0)).toBeLessThan(100);
    expect(delayBefore(1, () => 0)).toBe(500);
    expect(delayBefore(3, () => 1)).toBe(4000);
    expect(delayBefore(500, () => 1)).toBe(30_000);
  });

  it('differs between pages, so that they do not return in the same moment', () => {
    expect(new Set(Array.from({ length: 10 }, () => delayBefore(5))).size).toBeGreaterThan(1);
  });
});
