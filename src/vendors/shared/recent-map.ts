import type { Clock } from '../../basics/clock.ts';

/** Longer than the interval at which idle stacks are observed, so that entries of stacks that exist are kept. */
const keptMs = 1_800_000;

/**
 * What is known about stacks, by their ids. Entries that were not used for some time are dropped: they belong to stacks that
 * ended. So the size follows the number of stacks, without a limit that more stacks would exceed.
 */
export class RecentMap<T> {
  readonly #clock: Clock;
  /** The entry used last is at the end. */
  readonly #entries = new Map<string, { value: T; usedAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry) this.set(key, entry.value);
    return entry?.value;
  }

  set(key: string, value: T): void {
    const now = this.#clock.now();
    this.#entries.delete(key);
    this.#entries.set(key, { value, usedAt: now });
    for (const [oldest, { usedAt }] of this.#entries) {
      if (now - usedAt <= keptMs) break;
      this.#entries.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
