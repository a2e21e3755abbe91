import type { Clock } from '../../basics/clock.ts';

/** What was read, and its place in the order of all readings and writings. */
export interface Reading<T> {
  order: number;
  value: T;
}

interface Begun<T> {
  begunAt: number;
  /** Null while it is under way. */
  endedAt: number | null;
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

  /**
   * Not older than `maxAgeMs`, counted from when its reading ended: where reading takes long, it would be too old before
   * it is there. What was written since it began is told by its order. 0: begun not before now.
   */
  async get(maxAgeMs: number): Promise<Reading<T>> {
    const now = this.#clock.now();
    const serves = ({ begunAt, endedAt }: Begun<T>): boolean =>
      begunAt >= now || (maxAgeMs > 0 && now - (endedAt ?? now) <= maxAgeMs);
    while (this.#last && !serves(this.#last)) {
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
    const reading = this.#read().then((value) => {
      begun.endedAt = this.#clock.now();
      return { order, value };
    });
    const begun: Begun<T> = { begunAt: this.#clock.now(), endedAt: null, reading };
    // A reading that failed is not kept: whoever asks next tries again.
    begun.reading.catch(() => {
      if (this.#last === begun) this.#last = undefined;
    });
    return begun;
  }
}
