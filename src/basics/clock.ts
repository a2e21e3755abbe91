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

interface Alarm {
  due: number;
  callback: () => void;
}

/** A clock that stands still until it is told to move. */
export class VirtualClock implements Clock {
  #now: number;
  readonly #alarms = new Set<Alarm>();

  constructor(start = Date.UTC(2030, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const alarm = { due: this.#now + ms, callback };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** Moves time forward and rings what became due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let alarm = this.#nextBefore(end); alarm; alarm = this.#nextBefore(end)) {
      this.#alarms.delete(alarm);
      this.#now = Math.max(this.#now, alarm.due);
      alarm.callback();
    }
    this.#now = end;
  }

  #nextBefore(end: number): Alarm | undefined {
    return [...this.#alarms].filter((alarm) => alarm.due <= end).toSorted((a, b) => a.due - b.due)[0];
  }
}

/** `2030-01-01T00:00:00+00:00`: the interface wants a numeric offset, never `Z`. */
export const offsetTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;

/** `2030-01-01T00:00:00.000Z`: what the interface uses for `last_modified` and `lastModified`. */
export const utcTime = (ms: number): string => new Date(ms).toISOString();
