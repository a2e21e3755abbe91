import type { Clock } from '../../basics/clock.ts';
import { RateBudget } from '../shared/rate-budget.ts';
import { Unreachable } from '../vendor.ts';

/** ROS accepts 100 calls a minute of each action, for an account in a region. These are at most 80 in any minute. */
const budget = { perSecond: 1, burst: 20 };

/** Passes over stacks of all vendors share places in the reconciler: none is held longer. */
const longestWaitMs = 15_000;

/** Spreads the calls of one credential in one region, for each action on its own. */
export class CallLimiter {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, RateBudget>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for its turn. Throws if that would take too long. */
  async take(action: string): Promise<void> {
    const known = this.#budgets.get(action) ?? new RateBudget(this.#clock, budget);
    this.#budgets.set(action, known);
    if (known.waitMs > longestWaitMs)
      throw new Unreachable(`${action}: too many calls wait; Alibaba Cloud accepts 100 a minute`);
    await known.take();
  }
}
