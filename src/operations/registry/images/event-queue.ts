import { backOff } from '../../../basics/back-off.ts';
import type { Clock } from '../../../basics/clock.ts';
import { pause } from '../../../basics/pause.ts';
import { isLasting } from './lasting-error.ts';

/** Something to do for one account. */
export interface QueuedWork {
  accountId: string;
  /** Work with the same key is done once, the newest. */
  key: string;
  run: () => Promise<void>;
}

interface EventQueueOptions {
  clock: Clock;
  /** Work that waits is left when it fires. */
  stopping: AbortSignal;
  /** Called when nothing waits or runs any more. `isDone`: nothing was given up. */
  onEmpty: (isDone: boolean) => void;
}

/** Of one account. */
export const maxWaiting = 1000;
/** At the same time, one of each account. */
const maxRunning = 16;
const retries = { first: 1000, max: 60_000 };
/** About ten minutes. */
const maxAttempts = 15;

/**
 * What notifications of the registry ask for. Accounts take turns and each has one piece of work at a time, so that none waits for
 * all the pushes of another. While the registry or the database does not answer, work is repeated.
 */
export class EventQueue {
  readonly #options: EventQueueOptions;
  /** By account, in the order of their turns. */
  readonly #waiting = new Map<string, Map<string, QueuedWork>>();
  readonly #running = new Map<string, Promise<void>>();
  #hasGivenUp = false;

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  /** False: too much work waits for this account. */
  add(work: QueuedWork, limit = maxWaiting): boolean {
    const ofAccount = this.#waiting.get(work.accountId) ?? new Map<string, QueuedWork>();
    if (ofAccount.size >= limit && !ofAccount.has(work.key)) return false;
    ofAccount.delete(work.key);
    ofAccount.set(work.key, work);
    this.#waiting.set(work.accountId, ofAccount);
    this.#startNext();
    return true;
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0 || this.#running.size > 0;
  }

  /** Resolves when nothing waits or runs any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #startNext(): void {
    for (const [accountId, works] of this.#waiting) {
      if (this.#running.size >= maxRunning || this.#options.stopping.aborted) return;
      const [work] = works.values();
      if (this.#running.has(accountId) || !work) continue;
      works.delete(work.key);
      // The account goes to the end of the line.
      this.#waiting.delete(accountId);
      if (works.size > 0) this.#waiting.set(accountId, works);
      this.#running.set(accountId, this.#run(work));
    }
  }

  async #run({ accountId, run }: QueuedWork): Promise<void> {
    if (!(await this.#repeat(run))) this.#hasGivenUp = true;
    this.#running.delete(accountId);
    this.#startNext();
    if (this.isBusy) return;
    const isDone = !this.#hasGivenUp;
    this.#hasGivenUp = false;
    this.#options.onEmpty(isDone);
  }

  /** False: it is given up. */
  async #repeat(run: QueuedWork['run']): Promise<boolean> {
    for (let attempt = 0; attempt < maxAttempts && !this.#options.stopping.aborted; attempt += 1) {
      const failure = await run().then(
        () => null,
        (error: unknown) => error,
      );
      // A failure that lasts would repeat for ever.
      if (failure === null || isLasting(failure)) return true;
      await pause(this.#options.clock, backOff(attempt, retries), this.#options.stopping);
    }
    return false;
  }
}
