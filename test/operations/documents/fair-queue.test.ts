import { expect, test } from 'vitest';
import { FairQueue } from '../../../src/operations/documents/fair-queue.ts';

const takeAll = (queue: FairQueue<string>): string[] => {
  const taken: string[] = [];
  for (let entry = queue.take(); entry !== undefined; entry = queue.take()) taken.push(entry);
  return taken;
};

test('callers take turns: one with many entries does not delay the others', () => {
  const queue = new FairQueue<string>({ perCaller: 10, total: 100 });
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(entry.slice(0, 1), entry);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a caller with too many entries is refused, others are not', () => {
  const queue = new FairQueue<string>({ perCaller: 2, total: 100 });
  expect(['a1', 'a2', 'a3'].map((entry) => queue.add('a', entry))).toEqual([true, true, false]);
  expect(queue.add('b', 'b1')).toBe(true);
  expect(queue.size).toBe(3);
});

test('a full queue accepts entries again after one was taken', () => {
  const queue = new FairQueue<string>({ perCaller: 2, total: 2 });
  for (const caller of ['a', 'b']) queue.add(caller, caller);
  expect(queue.add('c', 'c')).toBe(false);
  queue.take();
  expect(queue.add('c', 'c')).toBe(true);
});

test('a caller who comes while another is served goes before the rest of that one', () => {
  const queue = new FairQueue<string>({ perCaller: 10, total: 100 });
  for (const entry of ['a1', 'a2', 'a3']) queue.add('a', entry);
  expect(queue.take()).toBe('a1');
  queue.add('b', 'b1');
  expect(takeAll(queue)).toEqual(['b1', 'a2', 'a3']);
  for (const entry of ['a4', 'c1']) queue.add(entry.slice(0, 1), entry);
  expect(takeAll(queue)).toEqual(['c1', 'a4']);
});

test('a caller who may not be served now keeps its entries, and others go first', () => {
  const queue = new FairQueue<string>({ perCaller: 10, total: 100 });
  for (const entry of ['a1', 'b1']) queue.add(entry.slice(0, 1), entry);
  expect(queue.take((caller) => caller !== 'a')).toBe('b1');
  expect(queue.take((caller) => caller !== 'a')).toBeUndefined();
  expect(takeAll(queue)).toEqual(['a1']);
});
