import { sharedWork, waitForShared } from '../../basics/calls/call-limit.ts';
import type { Clock } from '../../basics/clock.ts';

/** A value, and the position of its read in the sequence of all reads and writes. */
export interface ReadResult<T> {
  order: number;
  value: T;
}

interface StartedRead<T> {
  startedAt: number;
  /** Null while the read is in progress. */
  endedAt: number | null;
  result: Promise<ReadResult<T>>;
}

/** Numbers reads and writes, to decide which came first. */
export class Sequence {
  #last = 0;
  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** Cached read with a single call in flight: concurrent callers share one request to the vendor. */
export class SharedRead<T> {
  readonly #clock: Clock;
  readonly #sequence: Sequence;
  readonly #read: () => Promise<T>;
  #last: StartedRead<T> | undefined;

  constructor(clock: Clock, sequence: Sequence, read: () => Promise<T>) {
    this.#clock = clock;
    this.#sequence = sequence;
    this.#read = read;
  }

  /**
   * Returns a value not older than `maxAgeMs`, counted from the end of its read: a slow read would otherwise expire
   * before it ends. Compare `order` to detect writes since the read started. 0: the read starts now or later.
   */
  async get(maxAgeMs: number): Promise<ReadResult<T>> {
    const now = this.#clock.now();
    const isFresh = ({ startedAt, endedAt }: StartedRead<T>): boolean =>
      startedAt >= now || (maxAgeMs > 0 && now - (endedAt ?? now) <= maxAgeMs);
    while (this.#last && !isFresh(this.#last)) {
      const outdated = this.#last;
      await waitForShared(outdated.result.catch(() => undefined)); // only one read at a time
      if (this.#last === outdated) this.#last = undefined;
    }
    this.#last ??= this.#start();
    return waitForShared(this.#last.result);
  }

  /** Drops the cached value, which is known to be out of date. */
  forget(): void {
    this.#last = undefined;
  }

  #start(): StartedRead<T> {
    const order = this.#sequence.next();
    const result = sharedWork(this.#read).then((value) => {
      started.endedAt = this.#clock.now();
      return { order, value };
    });
    const started: StartedRead<T> = { startedAt: this.#clock.now(), endedAt: null, result };
    // Do not cache failures: the next call retries.
    started.result.catch(() => {
      if (this.#last === started) this.#last = undefined;
    });
    return started;
  }
}
