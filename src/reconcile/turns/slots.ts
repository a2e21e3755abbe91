import type { Clock } from '../../basics/clock.ts';

interface SlotsParts {
  clock: Clock;
  count: number;
  /** A slot is free again. */
  onFree: () => void;
}

/** A pass that takes longer waits for its cloud, and needs nothing of this server: another one may begin. */
const slowMs = 2_000;
/** All passes, also those that wait, are at most so many times those that do not. */
const mostShare = 4;

/** How many passes may begin. */
export class Slots {
  readonly #parts: SlotsParts;
  readonly #running = new Set<Promise<void>>();
  #slow = 0;

  constructor(parts: SlotsParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#parts.count;
  }

  get running(): number {
    return this.#running.size;
  }

  get free(): number {
    const { count } = this.#parts;
    return Math.min(count - (this.running - this.#slow), mostShare * count - this.running);
  }

  begin(pass: Promise<void>): void {
    const { clock, onFree } = this.#parts;
    let slow = 0;
    const cancel = clock.after(slowMs, () => {
      slow = 1;
      this.#slow += slow;
      onFree();
    });
    const work = pass.finally(() => {
      cancel();
      this.#slow -= slow;
      this.#running.delete(work);
      onFree();
    });
    this.#running.add(work);
  }

  /** Waits for the passes in progress. */
  async drain(): Promise<void> {
    await Promise.all(this.#running);
  }
}
