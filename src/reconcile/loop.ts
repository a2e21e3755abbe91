import type { Clock } from '../basics/clock.ts';
import type { Database } from '../store/database/database.ts';
import {
  type Claim,
  claimDueStack,
  nextDueTime,
  type PassEnd,
  postponePass,
  releaseLeases,
  renewLease,
} from '../store/stacks/schedule.ts';
import { backOffMs } from './decide.ts';

export interface LoopOptions {
  database: Database;
  clock: Clock;
  /** Unique among the servers on this database. */
  owner: string;
  reconcile(claim: Claim): Promise<PassEnd>;
  /** A pass that threw: a mistake of ours or trouble with the database. */
  failed(error: unknown, claim?: Claim): void;
  passed?(end: PassEnd, milliseconds: number): void;
  concurrency?: number;
}

export const leaseMs = 60_000;
/** However little is scheduled, look this often: a notification may have been missed. */
const sweepMs = 5_000;
const soonestMs = 10;
/** What the owner of a stack reads; the cause is in the operator's log. */
const ourTrouble =
  'Almanac itself had trouble working on this stack and tries again. Its log tells the operator why.';

/** Finds the stacks that are due and runs a pass over each, several at a time; any number of servers may do so at once. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #running = new Set<Promise<void>>();
  #stopping = false;
  #looking: Promise<void> | undefined;
  #askedMeanwhile = false;
  #cancelTimer = () => {};
  #unsubscribe = () => {};

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  start(): void {
    this.#unsubscribe = this.#options.database.listen('stack-due', () => this.#look());
    this.#look();
  }

  /** Runs what is due now and returns how many passes that took; for tests and for commands. */
  async runDue(): Promise<number> {
    let passes = 0;
    for (let claim = await this.#claim(); claim; claim = await this.#claim(), passes += 1)
      await this.#pass(claim);
    return passes;
  }

  /** Lets the passes that are under way end, then gives the leases back. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#unsubscribe();
    this.#cancelTimer();
    await this.#looking;
    await Promise.all(this.#running);
    await releaseLeases(this.#options.database.query, this.#options.owner);
  }

  /** One look at a time; asked for meanwhile, one more after it. */
  #look(): void {
    if (this.#stopping) return;
    if (this.#looking) {
      this.#askedMeanwhile = true;
      return;
    }
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = undefined;
      if (this.#askedMeanwhile) {
        this.#askedMeanwhile = false;
        this.#look();
      }
    });
  }

  async #lookOnce(): Promise<void> {
    const { database, clock } = this.#options;
    try {
      await this.#beginDue();
      if (this.#isFull()) return this.#cancelTimer(); // the end of a pass looks again
      const due = await nextDueTime(database.query, clock.now());
      this.#lookIn(Math.min(sweepMs, Math.max(soonestMs, (due ?? Infinity) - clock.now())));
    } catch (error) {
      this.#options.failed(error);
      this.#lookIn(sweepMs);
    }
  }

  #isFull(): boolean {
    return this.#running.size >= (this.#options.concurrency ?? 16);
  }

  #lookIn(ms: number): void {
    this.#cancelTimer();
    if (!this.#stopping) this.#cancelTimer = this.#options.clock.after(ms, () => this.#look());
  }

  async #beginDue(): Promise<void> {
    while (!this.#stopping && !this.#isFull()) {
      const claim = await this.#claim();
      if (!claim) return;
      const work = this.#pass(claim).finally(() => {
        this.#running.delete(work);
        this.#look();
      });
      this.#running.add(work);
    }
  }

  #claim(): Promise<Claim | undefined> {
    const { database, clock, owner } = this.#options;
    const now = clock.now();
    return claimDueStack(database, { owner, now, until: now + leaseMs });
  }

  async #pass(claim: Claim): Promise<void> {
    const { database, clock } = this.#options;
    const began = clock.now();
    const stopRenewing = keepLease(database, clock, claim);
    try {
      const end = await this.#options.reconcile(claim);
      this.#options.passed?.(end, clock.now() - began);
    } catch (error) {
      this.#options.failed(error, claim);
      await this.#postpone(claim);
    } finally {
      stopRenewing();
    }
  }

  /** Where even this fails, the lease runs out and the pass is repeated. */
  async #postpone(claim: Claim): Promise<void> {
    const { database, clock } = this.#options;
    const nextAt = clock.now() + backOffMs(claim.troubles);
    const postpone = database.transaction((query) =>
      postponePass(query, claim, { reason: ourTrouble, nextAt }),
    );
    await postpone.catch((error: unknown) => this.#options.failed(error, claim));
  }
}

/** Keeps a long pass's lease alive. When it is lost all the same, the fence keeps the pass from writing. */
function keepLease(database: Database, clock: Clock, claim: Claim): () => void {
  let ended = false;
  let cancel = () => {};
  const renewLater = () => {
    if (!ended) cancel = clock.after(leaseMs / 3, () => void renew());
  };
  const renew = async () => {
    const kept = await renewLease(database.query, claim, clock.now() + leaseMs).catch(() => true);
    if (kept) renewLater();
  };
  renewLater();
  return () => {
    ended = true;
    cancel();
  };
}
