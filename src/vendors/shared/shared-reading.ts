import type { Clock } from '../../basics/clock.ts';

/** A value, and its place in the order of all reads and writes. */
export interface Reading<T> {
  order: number;
  value: T;
}

interface PendingRead<T> {
  startedAt: number;
  /** Null while in progress. */
  endedAt: number | null;
  reading: Promise<Reading<T>>;
}

/** Numbers reads and writes, so that their order is known. */
export class Order {
  #last = 0;
  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** Coalesces reads: callers at about the same time share one, and there are never two at once. */
export class SharedReading<T> {
  readonly #clock: Clock;
  readonly #order: Order;
  readonly #read: () => Promise<T>;
  #last: PendingRead<T> | undefined;

  constructor(clock: Clock, order: Order, read: () => Promise<T>) {
    this.#clock = clock;
    this.#order = order;
    this.#read = read;
  }

  /**
   * Not older than `maxAgeMs`, measured from the end of the read: a slow read would otherwise be too old when it ends.
   * Its order shows which writes came after its start. 0: starts now or later.
   */
  async get(maxAgeMs: number): Promise<Reading<T>> {
    const now = this.#clock.now();
    const isFresh = ({ startedAt, endedAt }: PendingRead<T>): boolean =>
      startedAt >= now || (maxAgeMs > 0 && now - (endedAt ?? now) <= maxAgeMs);
    while (this.#last && !isFresh(this.#last)) {
      const outdated = this.#last;
      await outdated.reading.catch(() => undefined); // never two at once
      if (this.#last === outdated) this.#last = undefined;
    }
    this.#last ??= this.#start();
    return this.#last.reading;
  }

  /** Drops a value that is known to be out of date. */
  forget(): void {
    this.#last = undefined;
  }

  #start(): PendingRead<T> {
    const order = this.#order.next();
    const reading = this.#read().then((value) => {
      pending.endedAt = this.#clock.now();
      return { order, value };
    });
    const pending: PendingRead<T> = { startedAt: this.#clock.now(), endedAt: null, reading };
    // A failed read is not kept: the next caller retries.
    pending.reading.catch(() => {
      if (this.#last === pending) this.#last = undefined;
    });
    return pending;
  }
}
