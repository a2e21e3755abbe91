/** The only source of time. Tests use a virtual one, so nothing in them sleeps. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`; returns how to cancel. */
  after(ms: number, callback: () => void): () => void;
}

export const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Lets everything else that is ready run first: long work that waits for this now and then does not delay requests. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

let latestTurn: Promise<void> = Promise.resolve();

/** Like `nextTurn`, but only one caller continues in each turn: the long pieces of several requests do not become one. */
export const ownTurn = (): Promise<void> => {
  latestTurn = latestTurn.then(nextTurn);
  return latestTurn;
};

interface Timer {
  due: number;
  callback: () => void;
}

/** A clock that moves only when `advance` is called. */
export class VirtualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(start = Date.UTC(2030, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { due: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves time forward and calls back what became due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let timer = this.#nextBefore(end); timer; timer = this.#nextBefore(end)) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.due);
      timer.callback();
    }
    this.#now = end;
  }

  #nextBefore(end: number): Timer | undefined {
    return [...this.#timers].filter((timer) => timer.due <= end).toSorted((a, b) => a.due - b.due)[0];
  }
}

/** `2030-01-01T00:00:00+00:00`: the API requires a numeric offset, never `Z`. */
export const offsetTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;

/** `2030-01-01T00:00:00.000Z`: the API's format of `last_modified` and `lastModified`. */
export const utcTime = (ms: number): string => new Date(ms).toISOString();
