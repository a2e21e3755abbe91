import { nextTurn } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';

/** What came of an item of a batch. `alone`: it needs a transaction of its own. */
export type Outcome = 'recorded' | 'alone' | Failure;

interface Waiting<Item> {
  item: Item;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Bounds the time that one batch keeps others from the database. */
const maxItems = 200;

/**
 * Collects what arrives while the batch before it is written, so that many callers share one transaction. Each of them hears of its
 * own outcome, after the commit.
 */
export class Batches<Item> {
  readonly #record: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly #waiting: Waiting<Item>[] = [];
  #isRunning = false;

  constructor(record: (items: readonly Item[]) => Promise<readonly Outcome[]>) {
    this.#record = record;
  }

  /** Settles when the item is on the disk. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await nextTurn(); // what arrived together is written together
      await this.#run(this.#waiting.splice(0, maxItems));
    }
    this.#isRunning = false;
  }

  async #run(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await this.#settle(batch, await this.#record(batch.map(({ item }) => item)));
    } catch (error) {
      const isOutage = error instanceof Failure && error.kind === 'unavailable';
      if (batch.length === 1 || isOutage) for (const { reject } of batch) reject(error);
      else await this.#runApart(batch); // nothing was recorded: one of them must not fail the others
    }
  }

  async #settle(batch: readonly Waiting<Item>[], outcomes: readonly Outcome[]): Promise<void> {
    for (const [at, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[at];
      if (outcome === 'recorded') resolve();
      else if (outcome !== 'alone') reject(outcome);
    }
    await this.#runApart(batch.filter((_, at) => outcomes[at] === 'alone'));
  }

  /** One after the other, in their order. */
  async #runApart(batch: readonly Waiting<Item>[]): Promise<void> {
    for (const each of batch) await this.#run([each]);
  }
}
