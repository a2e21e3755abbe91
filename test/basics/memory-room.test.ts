import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/basics/clock.ts';
import { collectSometimes, MemoryRoom, ownMemory } from '../../src/basics/memory-room.ts';

const room = (used = 0) => {
  const state = { used };
  const memory = new MemoryRoom({ limit: 150, thread: 50, used: () => state.used, collect: () => {} });
  return { memory, state };
};

test('a request gets memory while there is enough for it, for the other requests and for one thread', () => {
  const { memory, state } = room(40);
  const giveBack = memory.hold('one', 40);
  expect(giveBack).not.toBeNull();
  expect(memory.hold('two', 21)).toBeNull();
  giveBack?.();
  expect(memory.hold('two', 21)).not.toBeNull();
  state.used = 80;
  expect(memory.hold('three', 1)).toBeNull();
  expect(memory.refused).toBe(2);
});

test('an account with several requests holds at most half of the memory, and a single request may take all', () => {
  const { memory } = room();
  expect(memory.hold('one', 30)).not.toBeNull();
  expect(memory.hold('one', 30)).toBeNull();
  expect(memory.hold('two', 70)).not.toBeNull();
});

test('a thread fits while its whole memory is left', () => {
  expect(room(100).memory.fitsThread).toBe(true);
  expect(room(101).memory.fitsThread).toBe(false);
});

test('each refusal ends threads without work and collects garbage', () => {
  const asked: string[] = [];
  const collect = () => asked.push('collect');
  const memory = new MemoryRoom({ limit: 1, thread: 1, used: () => 1, collect });
  memory.onShort = () => asked.push('threads');
  expect(memory.hold('one', 1)).toBeNull();
  expect(asked).toEqual(['threads', 'collect']);
});

test('garbage is collected at most every two seconds', () => {
  const clock = new VirtualClock();
  let collected = 0;
  const collect = collectSometimes(clock, () => (collected += 1));
  collect();
  collect();
  expect(collected).toBe(1);
  clock.advance(2_000);
  collect();
  expect(collected).toBe(2);
});

test.runIf(process.platform === 'linux')('the pages of files do not count as memory of the process', () => {
  expect(ownMemory()).toBeGreaterThan(10_000_000);
  expect(ownMemory()).toBeLessThan(process.memoryUsage.rss());
});
