import { Failure } from '../basics/failure.ts';

/** More than this many waiting are a flood. */
const maxWaiting = 100;
const retryAfter = 5;

interface Queue {
  last: Promise<unknown>;
  waiting: number;
}

/** Per-key mutex. */
export class KeyedMutex {
  readonly #queues = new Map<string, Queue>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= maxWaiting)
      throw new Failure('too_many_requests', `Too many requests at once; retry in ${retryAfter} s`, {
        retryAfter,
      });
    this.#queues.set(key, queue);
    queue.waiting += 1;
    const result = queue.last.then(work);
    queue.last = result.catch(() => {});
    try {
      return await result;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.#queues.delete(key);
    }
  }
}
