import type { Clock } from '../basics/clock.ts';
import type { Database } from '../store/database.ts';
import {
  type Claim,
  claimDueStack,
  nextDueTime,
  type PassEnd,
  releaseLeases,
  renewLease,
} from '../store/schedule.ts';

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

export interface Loop {
  start(): void;
  /** Runs what is due now and returns how many passes that took; for tests and for commands. */
  runDue(): Promise<number>;
  /** Lets the passes that are under way end, then gives the leases back. */
  stop(): Promise<void>;
}

export function createLoop(options: LoopOptions): Loop {
  const { database, clock, owner } = options;
  const running = new Set<Promise<void>>();
  let stopping = false;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let cancelTimer = () => {};

  const claimNext = () => {
    const now = clock.now();
    return claimDueStack(database, { owner, now, until: now + leaseMs });
  };

  async function pass(claim: Claim): Promise<void> {
    const began = clock.now();
    const stopRenewing = keepLease(database, clock, claim);
    try {
      const end = await options.reconcile(claim);
      options.passed?.(end, clock.now() - began);
    } catch (error) {
      options.failed(error, claim); // the lease runs out and the pass is repeated
    } finally {
      stopRenewing();
    }
  }

  function begin(claim: Claim): void {
    const work = pass(claim).finally(() => {
      running.delete(work);
      look();
    });
    running.add(work);
  }

  async function lookOnce(): Promise<void> {
    while (!stopping && running.size < (options.concurrency ?? 16)) {
      const claim = await claimNext();
      if (!claim) break;
      begin(claim);
    }
    const due = stopping ? undefined : await nextDueTime(database.query, clock.now());
    cancelTimer();
    if (!stopping)
      cancelTimer = clock.after(Math.min(sweepMs, Math.max(10, (due ?? Infinity) - clock.now())), look);
  }

  /** One look at a time; asked meanwhile, one more after it. */
  function look(): void {
    if (stopping) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = lookOnce()
      .catch((error: unknown) => {
        options.failed(error);
        cancelTimer();
        cancelTimer = clock.after(sweepMs, look);
      })
      .finally(() => {
        looking = undefined;
        if (lookAgain) {
          lookAgain = false;
          look();
        }
      });
  }

  let deafen = () => {};

  return {
    start() {
      deafen = database.listen('stack-due', look);
      look();
    },
    async runDue() {
      let passes = 0;
      for (let claim = await claimNext(); claim; claim = await claimNext(), passes += 1) await pass(claim);
      return passes;
    },
    async stop() {
      stopping = true;
      deafen();
      cancelTimer();
      await looking;
      await Promise.all(running);
      await releaseLeases(database.query, owner);
    },
  };
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
