import type { Clock } from '../../basics/clock.ts';
import type { RateBudget } from './rate-budget.ts';
import { type ReadResult, type Sequence, SharedRead } from './shared-read.ts';

/** The two ways to read things of one kind, such as the stacks of a region. */
export interface Reader<T> {
  /** One by name; undefined: there is none. */
  one(name: string): Promise<T | undefined>;
  /**
   * All, in pages, also those of others. `maxPages` may grow while the pages are read. Undefined: not all, because there are
   * more pages, or because it is not allowed.
   */
  all(maxPages: () => number): Promise<Listed<T> | undefined>;
}

export interface Listed<T> {
  values: ReadonlyMap<string, T>;
  pages: number;
}

interface Parts<T> {
  clock: Clock;
  sequence: Sequence;
  budget: RateBudget;
  reader: Reader<T>;
  /** Names asked for within this time count as asked for together. */
  windowMs: number;
}

/** A list may cost this many times the calls of reading by name before it is given up, so that the choice does not flap. */
const tolerance = 1.5;
/** After this time, tries a list again: the account may have become smaller. */
const relearnMs = 3_600_000;
const maxNames = 2_000;

/**
 * Reads things by name or all at once, whichever takes fewer calls: a list takes a call for each page, also for the pages of
 * others. So the calls grow with the names asked for, not with everything in the account.
 */
export class AdaptiveRead<T> {
  readonly #parts: Parts<T>;
  readonly #list: SharedRead<ReadonlyMap<string, T> | undefined>;
  readonly #byName = new Map<string, SharedRead<T | undefined>>();
  /** The names asked for within the window, the last one at the end. */
  readonly #asked = new Map<string, number>();
  /** The pages of the list: exactly, or at least so many. */
  #pages = 1;
  #learnedAt: number;
  #listing = true;

  constructor(parts: Parts<T>) {
    this.#parts = parts;
    this.#learnedAt = parts.clock.now();
    this.#list = new SharedRead(parts.clock, parts.sequence, () => this.#readList());
  }

  /** Returns a value not older than `maxAgeMs`: see `SharedRead`. */
  async get(name: string, maxAgeMs: number): Promise<ReadResult<T | undefined>> {
    this.#note(name);
    if (this.#prefersList()) {
      const { order, value } = await this.#list.get(maxAgeMs);
      if (value) return { order, value: value.get(name) };
    }
    return this.#readerOf(name).get(maxAgeMs);
  }

  /** Drops the cached values, which are known to be out of date. */
  forget(): void {
    this.#list.forget();
    this.#byName.clear();
  }

  #note(name: string): void {
    const now = this.#parts.clock.now();
    this.#asked.delete(name);
    this.#asked.set(name, now);
    for (const [oldest, at] of this.#asked) {
      if (now - at <= this.#parts.windowMs) break;
      this.#asked.delete(oldest);
    }
  }

  /** The pages that a list may have to be worth its calls. */
  get #worthwhile(): number {
    return Math.max(1, Math.floor(this.#asked.size * tolerance));
  }

  #prefersList(): boolean {
    const now = this.#parts.clock.now();
    if (now - this.#learnedAt > relearnMs) this.#learn(1);
    this.#listing = this.#pages <= (this.#listing ? this.#worthwhile : Math.max(1, this.#asked.size - 1));
    return this.#listing;
  }

  #learn(pages: number): void {
    this.#pages = pages;
    this.#learnedAt = this.#parts.clock.now();
  }

  async #readList(): Promise<ReadonlyMap<string, T> | undefined> {
    const listed = await this.#parts.reader.all(() => this.#worthwhile);
    this.#learn(listed ? listed.pages : this.#worthwhile + 1);
    return listed?.values;
  }

  #readerOf(name: string): SharedRead<T | undefined> {
    const { clock, sequence, budget, reader } = this.#parts;
    const known = this.#byName.get(name);
    if (known) return known;
    const made = new SharedRead(clock, sequence, async () => {
      await budget.take();
      return reader.one(name);
    });
    const [oldest] = this.#byName.keys();
    if (this.#byName.size >= maxNames && oldest !== undefined) this.#byName.delete(oldest);
    this.#byName.set(name, made);
    return made;
  }
}
