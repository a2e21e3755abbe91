import { ServerStops } from '../basics/calls/unreachable.ts';
import type { Clock } from '../basics/clock.ts';
import type { Database } from '../store/database/database.ts';
import { type Claim, nextDueTime, noteWaiting } from '../store/stacks/schedule/claim.ts';
import type { Sweep } from '../store/stacks/schedule/sweeps.ts';
import { type PassEnd, releaseLeases, renewLease } from '../store/stacks/schedule.ts';
import { keepLease } from './keep-lease.ts';
import { recordFailedPass } from './record-failed-pass.ts';
import { Sweeper } from './sweeper.ts';
import { Lanes } from './turns/lanes.ts';
import { Slots } from './turns/slots.ts';

export interface LoopOptions {
  database: Database;
  clock: Clock;
  /** Unique among the servers on this database. */
  owner: string;
  reconcile(claim: Claim): Promise<PassEnd>;
  /** Looks at many settled stacks at once, and makes those due that changed. */
  sweep(sweep: Sweep, stopping: AbortSignal): Promise<void>;
  /** Called for every error that a pass throws and for errors of the loop itself, then without a claim; also for outages of the database. */
  onInternalError(error: unknown, claim?: Claim): void;
  onPassEnd?(end: PassEnd, milliseconds: number): void;
  /** Passes at a time. */
  concurrency?: number;
  /** Passes at a time over stacks of one credential. Default: a quarter of all. */
  perCredential?: number;
  /** Whether several callers wait for changes that they asked for: these go first. */
  isCrowded?: () => boolean;
}

/** Short, so that the stacks of a killed server go on soon. A pass renews it, so passes may take longer. */
export const leaseMs = 7_000;
/** Upper limit between two looks at the schedule: a notification may have been missed. */
export const sweepMs = 2_500;
const minDelayMs = 10;
/** While callers wait, passes begin in turns: there is one thread, and a pass takes as much of it as a request … */
const turnMs = 1_000;
const askAgainMs = 25;
/** … unless stacks wait for longer than this. */
const maxLateMs = 5_000;
const recordAgainMs = 1_000;
/** Stacks that waited longer for a place say so. */
const longWaitMs = 10_000;

/** Finds the stacks that are due and runs a pass over each, several at a time. Any number of servers may do so at once. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #sweeper: Sweeper;
  readonly #lanes: Lanes;
  readonly #slots: Slots;
  #stopping = false;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #lastTurn = 0;
  /** How long the stacks that were claimed last had been due. */
  #lateMs = 0;
  /** The same, also of those that had to wait for others of their account. */
  #waitMs = 0;
  #waitNotedAt = 0;
  #cancelTimer = () => {};
  #unsubscribe = () => {};

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#sweeper = new Sweeper(options);
    const { concurrency: count = 16, perCredential: perLane = Math.ceil(count / 4) } = options;
    this.#slots = new Slots({ clock: options.clock, count, onFree: () => this.#look() });
    const perAccount = Math.max(perLane, Math.ceil(count / 2));
    this.#lanes = new Lanes({ ...options, leaseMs, perLane, perAccount });
  }

  start(): void {
    this.#unsubscribe = this.#options.database.listen('stack-due', () => this.#look());
    this.#look();
    this.#sweeper.start();
  }

  /** Runs everything that is due now and returns the number of passes; for tests and benchmarks. */
  async runDue(): Promise<number> {
    let passes = 0;
    await this.#sweeper.runDue();
    for (let [claim] = await this.#lanes.claim(1); claim; [claim] = await this.#lanes.claim(1), passes += 1)
      await this.#pass(claim);
    return passes;
  }

  /** Passes in progress, and how many there may be that do not wait for a cloud. */
  get load(): { running: number; slots: number } {
    return { running: this.#slots.running, slots: this.#slots.count };
  }

  /** Other servers can go on with the stacks at once. What still runs here is fenced as soon as they do. */
  giveBack(): Promise<void> {
    return releaseLeases(this.#options.database.query, this.#options.owner);
  }

  /** Waits for the running passes, then releases the leases. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#unsubscribe();
    this.#cancelTimer();
    const sweeperStopped = this.#sweeper.stop();
    await this.#looking;
    await this.#slots.drain();
    await this.giveBack();
    // Last: a sweep may take long, and the other servers can go on with the stacks.
    await sweeperStopped;
  }

  /** One look at a time; a call during a look causes one more after it. */
  #look(): void {
    if (this.#stopping) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    const yieldMs = this.#yieldMs();
    if (yieldMs > 0) return this.#lookIn(yieldMs);
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = undefined;
      if (this.#lookAgain) {
        this.#lookAgain = false;
        this.#look();
      }
    });
  }

  async #lookOnce(): Promise<void> {
    const { database, clock } = this.#options;
    try {
      await this.#beginDue();
      await this.#noteLongWait();
      if (this.#slots.free <= 0) return this.#cancelTimer(); // the end of a pass looks again
      // Stacks that are due but have no place wait for the end of a pass too.
      const due = await nextDueTime(database.query, this.#lanes.readAt);
      this.#lookIn(Math.min(sweepMs, Math.max(minDelayMs, (due ?? Infinity) - clock.now())));
    } catch (error) {
      this.#options.onInternalError(error);
      this.#lookIn(sweepMs);
    }
  }

  /** Requests go first, but never for long. */
  #yieldMs(): number {
    const { clock, isCrowded } = this.#options;
    if (this.#lateMs > maxLateMs || !isCrowded?.()) return 0;
    const restMs = this.#lastTurn + turnMs - clock.now();
    return restMs > turnMs ? 0 : Math.min(askAgainMs, restMs); // unless the clock was set back
  }

  #lookIn(ms: number): void {
    this.#cancelTimer();
    if (!this.#stopping) this.#cancelTimer = this.#options.clock.after(ms, () => this.#look());
  }

  /** Also what is claimed during a stop: `stop` waits for the look, then for the passes. */
  async #beginDue(): Promise<void> {
    while (!this.#stopping && this.#slots.free > 0) {
      const claims = await this.#lanes.claim(this.#slots.free);
      if (claims.length === 0) return;
      this.#noteTurn(claims);
      for (const claim of claims) this.#slots.begin(this.#pass(claim));
    }
  }

  #noteTurn(claims: readonly Claim[]): void {
    const now = this.#options.clock.now();
    const ageOf = (some: readonly Claim[]) =>
      now - Math.min(now, ...some.map(({ next_at: at }) => at ?? now));
    this.#lastTurn = now;
    this.#waitMs = ageOf(claims);
    // What waits for others of its own account says nothing about the server.
    this.#lateMs = ageOf(claims.filter((claim) => !this.#lanes.isFull(claim)));
  }

  /** Also on stacks of other servers that are as busy. */
  async #noteLongWait(): Promise<void> {
    const { database, clock } = this.#options;
    const now = clock.now();
    if (this.#waitMs < longWaitMs || Math.abs(now - this.#waitNotedAt) < longWaitMs) return;
    this.#waitNotedAt = now;
    const reason = 'Waits for its turn: the server works on other stacks of this account, or of others.';
    await noteWaiting(database.query, { before: now - longWaitMs, reason, now });
  }

  /** The one place that handles internal errors: reports them, shows them on the stack and schedules the retry. */
  async #pass(claim: Claim): Promise<void> {
    const { database, clock } = this.#options;
    const began = clock.now();
    const renew = () => renewLease(database.query, claim, clock.now() + leaseMs);
    const stopRenewing = keepLease(clock, { renew, everyMs: leaseMs / 3 });
    try {
      const end = await this.#options.reconcile(claim);
      this.#options.onPassEnd?.(end, clock.now() - began);
    } catch (error) {
      if (error instanceof ServerStops) return;
      this.#options.onInternalError(error, claim);
      await this.#recordFailure(claim, { cause: error, until: began + leaseMs });
    } finally {
      stopRenewing();
      this.#lanes.ended(claim);
    }
  }

  /**
   * If the database cannot record it, tries again until the lease expires: a database that restarts must not delay the stack
   * by a whole lease. The fence keeps a late attempt from writing over a newer pass.
   */
  async #recordFailure(claim: Claim, failure: { cause: unknown; until: number }): Promise<void> {
    const { clock } = this.#options;
    try {
      await recordFailedPass(this.#options, claim, failure.cause);
    } catch (error) {
      this.#options.onInternalError(error, claim);
      if (this.#stopping || clock.now() >= failure.until) return;
      clock.after(recordAgainMs, () => void this.#recordFailure(claim, failure));
    }
  }
}
