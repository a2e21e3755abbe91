/** So long, new ones are expected: replies that are sent together are followed by requests that arrive together. */
const pauseMs = 20;
/** What takes longer waits for something else, such as a cloud or a command on a server. */
const longMs = 2_000;

/** Counts short work that runs at the same time, so that less urgent work can give way to it. */
export class InProgress {
  readonly #now: () => number;
  /** In the order of their beginnings. */
  readonly #begun = new Set<{ at: number }>();
  #crowdedAt = -Infinity;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Whether there are several: a single one is not delayed by anything else. */
  get isCrowded(): boolean {
    const now = this.#now();
    for (const work of this.#begun) {
      if (now - work.at < longMs) break;
      this.#begun.delete(work);
    }
    return this.#begun.size > 1 || now - this.#crowdedAt < pauseMs;
  }

  /** Call the result when the work has ended. */
  begin(): () => void {
    const work = { at: this.#now() };
    this.#begun.add(work);
    return () => {
      if (this.#begun.size > 1) this.#crowdedAt = this.#now();
      this.#begun.delete(work);
    };
  }
}
