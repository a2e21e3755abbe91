import type { Clock } from '../basics/clock.ts';
import type { Database } from '../store/database/database.ts';
import { claimDueSweep, nextSweepTime, renewSweep, type Sweep } from '../store/stacks/schedule/sweeps.ts';
import { keepLease } from './keep-lease.ts';
import { RepeatedLook } from './repeated-look.ts';

interface SweeperOptions {
  database: Database;
  clock: Clock;
  /** Unique among the servers on this database. */
  owner: string;
  /** Ends soon after the signal. */
  sweep(sweep: Sweep, stopping: AbortSignal): Promise<void>;
  onInternalError(error: unknown): void;
}

/** A sweep renews it, so sweeps may take longer. */
const leaseMs = 30_000;
/** Upper limit between two looks: another server may have made a sweep. */
const lookMs = 5_000;
const minDelayMs = 100;
/** The first sweep of a server may wait for a cloud that accepts few calls: it must not keep the sweeps of others waiting. */
const concurrency = 32;
/** Nor may those of one account take all places. */
const perAccount = concurrency / 4;

/** Finds the sweeps that are due and runs them. Any number of servers may do so at once: each sweep is leased to one. */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #looks: RepeatedLook;
  readonly #running = new Set<Promise<void>>();
  /** Sweeps in progress, by account. */
  readonly #ofAccount = new Map<string, number>();
  readonly #stopping = new AbortController();

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#looks = new RepeatedLook({ clock: options.clock, look: () => this.#look() });
  }

  start(): void {
    this.#looks.start();
  }

  /** Runs everything that is due now and returns the number of sweeps; for tests. */
  async runDue(): Promise<number> {
    let sweeps = 0;
    for (let sweep = await this.#claim(); sweep; sweep = await this.#claim(), sweeps += 1)
      await this.#run(sweep);
    return sweeps;
  }

  /** Waits for the running sweeps. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looks.end();
    await Promise.all(this.#running);
  }

  async #look(): Promise<number> {
    try {
      return await this.#beginDue();
    } catch (error) {
      this.#options.onInternalError(error);
      return lookMs;
    }
  }

  /** Begins what is due, and returns the time until the next look. */
  async #beginDue(): Promise<number> {
    const { database, clock } = this.#options;
    while (!this.#stopping.signal.aborted && this.#running.size < concurrency) {
      const due = await nextSweepTime(database.query, clock.now(), this.#full());
      const waitMs = (due ?? Infinity) - clock.now();
      if (waitMs > 0) return Math.min(lookMs, Math.max(minDelayMs, waitMs));
      const sweep = await this.#claim();
      // Another server has it.
      if (!sweep) return minDelayMs;
      this.#begin(sweep);
    }
    return lookMs;
  }

  #begin(sweep: Sweep): void {
    const { account_id: account } = sweep;
    this.#count(account, 1);
    const work = this.#run(sweep).finally(() => {
      // Another one may wait for the place.
      const wasFull = this.#running.size === concurrency || this.#full().includes(account);
      this.#running.delete(work);
      this.#count(account, -1);
      if (wasFull) this.start();
    });
    this.#running.add(work);
  }

  #count(account: string, change: 1 | -1): void {
    const count = (this.#ofAccount.get(account) ?? 0) + change;
    if (count > 0) this.#ofAccount.set(account, count);
    else this.#ofAccount.delete(account);
  }

  /** Accounts without a free place. */
  #full(): string[] {
    return [...this.#ofAccount].filter(([, count]) => count >= perAccount).map(([account]) => account);
  }

  async #claim(): Promise<Sweep | undefined> {
    const { database, clock, owner } = this.#options;
    const now = clock.now();
    return claimDueSweep(database, { owner, now, until: now + leaseMs }, this.#full());
  }

  async #run(sweep: Sweep): Promise<void> {
    const { database, clock } = this.#options;
    const renew = () => renewSweep(database.query, sweep, clock.now() + leaseMs);
    const stopRenewing = keepLease(clock, { renew, everyMs: leaseMs / 3 });
    await this.#options
      .sweep(sweep, this.#stopping.signal)
      .catch((error: unknown) => this.#options.onInternalError(error));
    stopRenewing();
  }
}
