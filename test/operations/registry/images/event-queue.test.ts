import { expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/basics/clock.ts';
import { Failure } from '../../../../src/basics/failure.ts';
import { EventQueue, maxWaiting } from '../../../../src/operations/registry/images/event-queue.ts';

const makeQueue = () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const ends: boolean[] = [];
  const queue = new EventQueue({ clock, stopping: stop.signal, onEmpty: (isDone) => ends.push(isDone) });
  const done: string[] = [];
  const add = (accountId: string, key: string) =>
    queue.add({
      accountId,
      key,
      run: async () => {
        await Promise.resolve();
        done.push(key);
      },
    });
  return { clock, queue, done, ends, add, stop };
};

const never = () => new Promise<void>(() => {});

it('the work of one account does not wait for the work of another, however much that has and however slow it is', async () => {
  const { queue, done, add } = makeQueue();
  queue.add({ accountId: 'slow', key: 'stuck', run: never });
  for (let each = 0; each < 100; each += 1) add('slow', `slow ${each}`);
  for (let each = 0; each < 40; each += 1) add(`calm ${each}`, `calm ${each}`);
  await expect.poll(() => done.length).toBe(40);
  expect(done.every((key) => key.startsWith('calm'))).toBe(true);
});

it('work with the same key that waits is done once, the newest', async () => {
  const { queue, done, add } = makeQueue();
  add('a', 'first');
  add('a', 'tag');
  add('a', 'other');
  add('a', 'tag');
  await queue.idle();
  expect(done).toEqual(['first', 'other', 'tag']);
});

it('the work that waits for one account is limited, and another account has room', () => {
  const { queue, add } = makeQueue();
  queue.add({ accountId: 'a', key: 'stuck', run: never });
  for (let each = 0; each < maxWaiting; each += 1) expect(add('a', `${each}`)).toBe(true);
  expect(add('a', 'one more')).toBe(false);
  expect(add('a', '7')).toBe(true);
  expect(add('b', 'one more')).toBe(true);
});

it('work is repeated while the registry does not answer, and dropped after a failure that lasts', async () => {
  const { clock, queue, done, add } = makeQueue();
  let attempts = 0;
  const run = (retryAfter?: number) => async () => {
    attempts += 1;
    if (attempts < 3 || retryAfter === undefined)
      throw new Failure('registry_trouble', 'down', retryAfter === undefined ? {} : { retryAfter });
    done.push('repeated');
  };
  queue.add({ accountId: 'a', key: '1', run: run(5) });
  while (done.length === 0) {
    await new Promise(setImmediate);
    clock.advance(1000);
  }
  queue.add({ accountId: 'a', key: '2', run: run() });
  add('a', 'next');
  await queue.idle();
  expect(attempts).toBe(4);
  expect(done).toEqual(['repeated', 'next']);
});

it('no work begins after the server began to stop', async () => {
  const { queue, done, add, stop } = makeQueue();
  add('a', 'running');
  add('a', 'waiting');
  stop.abort();
  await queue.idle();
  expect(done).toEqual(['running']);
  expect(queue.isBusy).toBe(true);
});

const down = async () => {
  throw new Failure('registry_trouble', 'down', { retryAfter: 5 });
};

it('work that a stop ends between two attempts, or that never succeeds, is not said to be done', async () => {
  const { clock, queue, ends, add, stop } = makeQueue();
  queue.add({ accountId: 'a', key: '1', run: down });
  while (ends.length === 0) {
    await new Promise(setImmediate);
    clock.advance(60_000);
  }
  add('a', 'fine');
  await queue.idle();
  queue.add({ accountId: 'a', key: '2', run: down });
  await new Promise(setImmediate);
  stop.abort();
  await queue.idle();
  expect(ends).toEqual([false, true, false]);
});
