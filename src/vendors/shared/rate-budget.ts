import type { Clock } from '../../basics/clock.ts';

/** Spreads calls: at most `burst` at once, and `perSecond` on average. */
export class RateBudget {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #burst: number;
  /** When the budget is full again. */
  #fullAt = 0;

  constructor(clock: Clock, { perSecond, burst }: { perSecond: number; burst: number }) {
    this.#clock = clock;
    this.#intervalMs = 1000 / perSecond;
    this.#burst = burst;
  }

  /** Waits until the next call is within the budget. */
  async take(): Promise<void> {
    const now = this.#clock.now();
    this.#fullAt = Math.max(this.#fullAt, now) + this.#intervalMs;
    const waitMs = this.#fullAt - now - this.#burst * this.#intervalMs;
    if (waitMs > 0) await new Promise<void>((resolve) => void this.#clock.after(waitMs, resolve));
  }
}
