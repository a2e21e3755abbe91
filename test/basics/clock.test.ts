import { expect, it } from 'vitest';
import { nextTurn, offsetTime, ownTurn, utcTime, VirtualClock } from '../../src/basics/clock.ts';

it('a virtual clock calls back in order, including timers set while it moves, and not cancelled ones', () => {
  const clock = new VirtualClock(0);
  const rung: string[] = [];
  const ring = (name: string) => () => void rung.push(`${name} at ${clock.now()}`);
  clock.after(200, ring('late'));
  clock.after(100, () => {
    ring('early')();
    clock.after(50, ring('nested'));
  });
  clock.after(150, ring('cancelled'))();
  clock.advance(180);
  expect(rung).toEqual(['early at 100', 'nested at 150']);
  clock.advance(1000);
  expect(rung.at(-1)).toBe('late at 200');
  expect(clock.now()).toBe(1180);
});

it('times have the formats of the API', () => {
  expect(offsetTime(Date.UTC(2030, 0, 2, 3, 4, 5, 678))).toBe('2030-01-02T03:04:05+00:00');
  expect(utcTime(Date.UTC(2030, 0, 2, 3, 4, 5, 678))).toBe('2030-01-02T03:04:05.678Z');
});

it('work in turns of its own continues for one caller per turn of the event loop, in the order of the calls', async () => {
  const continued: number[] = [];
  const all = [1, 2, 3].map((number) => ownTurn().then(() => continued.push(number)));
  const perTurn: number[] = [];
  while (continued.length < 3) {
    const before = continued.length;
    await nextTurn();
    perTurn.push(continued.length - before);
  }
  await Promise.all(all);
  expect(continued).toEqual([1, 2, 3]);
  expect(Math.max(...perTurn)).toBe(1);
});
