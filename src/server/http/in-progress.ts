/** So long, new ones are expected: replies that are sent together are followed by requests that arrive together. */
const pauseMs = 20;

/** Counts work that runs at the same time, so that less urgent work can give way to it. */
export class InProgress {
  readonly #now: () => number;
  #count = 0;
  #crowdedAt = -Infinity;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Whether there are several: a single one is not delayed by anything else. */
  get isCrowded(): boolean {
    return this.#count > 1 || this.#now() - this.#crowdedAt < pauseMs;
  }

  /** Call the result once, when the work has ended. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      if (this.#count > 1) this.#crowdedAt = this.#now();
      this.#count -= 1;
    };
  }
}
