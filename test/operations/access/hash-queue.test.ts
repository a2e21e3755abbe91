import { beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import { HashQueue } from '../../../src/operations/access/hash-queue.ts';

let queue: HashQueue;
let running: number;
let mostRunning: number;
let order: string[];
beforeEach(() => {
  queue = new HashQueue({ parallel: 2, maxWaiting: 10, maxWaitingPerCaller: 6 });
  running = 0;
  mostRunning = 0;
  order = [];
});

/** Resolves to `done`, or to the kind of the failure. */
const hash = async (caller: string): Promise<string> => {
  try {
    return await queue.of(caller)(async () => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      order.push(caller);
      await new Promise((next) => setImmediate(next));
      running -= 1;
      return 'done';
    });
  } catch (error) {
    return error instanceof Failure ? error.kind : String(error);
  }
};

const many = (caller: string, count: number): Promise<string>[] =>
  Array.from({ length: count }, () => hash(caller));

const count = async (results: Promise<string>[], wanted: string) =>
  (await Promise.all(results)).filter((result) => result === wanted).length;

describe('the queue of password hashes', () => {
  it('computes at most as many hashes at the same time as it may', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].flatMap((caller) => many(caller, 2)));
    expect(mostRunning).toBe(2);
  });

  it('refuses a caller that has as many waiting as it may, and tells it when to retry', async () => {
    const results = many('a', 20);
    expect(await count(results, 'done')).toBe(2 + 6);
    expect(await count(results, 'too_many_requests')).toBe(12);
    expect(await hash('a')).toBe('done');
  });

  it('lets callers take turns, so that a flood from one delays another by one hash', async () => {
    const flood = many('flood', 8);
    await Promise.all([...flood, ...many('user', 1)]);
    expect(order.indexOf('user')).toBeLessThanOrEqual(3);
  });

  it('lets the caller with the most waiting yield when it is full', async () => {
    const flood = [...many('a', 8), ...many('b', 4)];
    const user = hash('user');
    expect(await user).toBe('done');
    expect(await count(flood.slice(0, 8), 'too_many_requests')).toBe(1);
    expect(await count(flood.slice(8), 'done')).toBe(4);
  });

  it('refuses newcomers when as many callers wait as it may hold', async () => {
    const flood = Array.from({ length: 12 }, (_, each) => hash(`bot ${each}`));
    expect(await hash('user')).toBe('too_many_requests');
    expect(await count(flood, 'done')).toBe(12);
    expect(await hash('user')).toBe('done');
  });

  it('admits a caller with a correct password before, although as many others wait as it may hold, and lets it go first', async () => {
    queue.trust('user');
    const flood = Array.from({ length: 12 }, (_, each) => hash(`bot ${each}`));
    queue.refuseIfFull('user');
    expect(await hash('user')).toBe('done');
    expect(order.indexOf('user')).toBeLessThanOrEqual(3);
    expect(await count(flood, 'done')).toBe(11);
    expect(await hash('bot 11')).toBe('done');
  });

  it('gives trusted callers every second turn only, and forgets the longest unused when there are too many', async () => {
    queue = new HashQueue({ parallel: 1, maxWaiting: 20, maxWaitingPerCaller: 6, maxTrusted: 1 });
    queue.trust('forgotten');
    queue.trust('user');
    await Promise.all([...many('bot', 1), ...many('forgotten', 3), ...many('user', 3)]);
    expect(order).toEqual(['bot', 'user', 'forgotten', 'user', 'forgotten', 'user', 'forgotten']);
  });

  it('continues after a hash that failed', async () => {
    const failing = queue.of('a')(() => Promise.reject(new Error('no memory')));
    await expect(failing).rejects.toThrow('no memory');
    expect(await count(many('a', 3), 'done')).toBe(3);
  });
});
