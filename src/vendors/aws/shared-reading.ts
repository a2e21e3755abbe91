import type { Clock } from '../../basics/clock.ts';

/** What was read, and its place in the order of all readings and writings. */
export interface Reading<T> {
  order: number;
  value: T;
}

interface Begun<T> {
  order: number;
  at: number;
  reading: Promise<Reading<T>>;
}

/** Counts readings and writings, so that it can be told which came first. */
export class Order {
  #last = 0;
  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** One reading for all who ask at about the same time, and never two at once: however many ask, AWS is asked once. */
export class SharedReading<T> {
  readonly #clock: Clock;
  readonly #order: Order;
  readonly #read: () => Promise<T>;
  #last: Begun<T> | undefined;

  constructor(clock: Clock, order: Order, read: () => Promise<T>) {
    this.#clock = clock;
    this.#order = order;
    this.#read = read;
  }

  /** Not older than `maxAgeMs`, counted from when its reading began. */
  async get(maxAgeMs: number): Promise<Reading<T>> {
    const notBefore = this.#clock.now() - maxAgeMs;
    while (this.#last && this.#last.at < notBefore) {
      const outdated = this.#last;
      await outdated.reading.catch(() => undefined); // never two at once
      if (this.#last === outdated) this.#last = undefined;
    }
    this.#last ??= this.#begin();
    return this.#last.reading;
  }

  /** What was read is known to be out of date. */
  forget(): void {
    this.#last = undefined;
  }

  #begin(): Begun<T> {
    const order = this.#order.next();
    const begun: Begun<T> = {
      order,
      at: this.#clock.now(),
      reading: this.#read().then((value) => ({ order, value })),
    };
    // A reading that failed is not kept: whoever asks next tries again.
    begun.reading.catch(() => {
      if (this.#last === begun) this.#last = undefined;
    });
    return begun;
  }
}
