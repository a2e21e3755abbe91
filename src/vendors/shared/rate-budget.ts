import { extendCallLimit } from '../../basics/calls/call-limit.ts';
import type { Clock } from '../../basics/clock.ts';

/** For the call after the wait. */
const callMs = 10_000;

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

  /** How long the next call would wait. */
  get waitMs(): number {
    const now = this.#clock.now();
    const fullAt = Math.max(this.#fullAt, now) + this.#intervalMs;
    return Math.max(0, fullAt - now - this.#burst * this.#intervalMs);
  }

  /** Waits until the next call is within the budget. */
  async take(): Promise<void> {
    const { waitMs } = this;
    this.#fullAt = Math.max(this.#fullAt, this.#clock.now()) + this.#intervalMs;
    if (waitMs === 0) return;
    extendCallLimit(waitMs + callMs);
    await new Promise<void>((resolve) => void this.#clock.after(waitMs, resolve));
  }
}
