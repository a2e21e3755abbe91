import type { Clock } from '../basics/clock.ts';

interface RepeatedLookOptions {
  clock: Clock;
  /** Returns the time until the next look. */
  look: () => Promise<number>;
}

/** One look at a time, again and again. One that is asked for during a look follows it. */
export class RepeatedLook {
  readonly #options: RepeatedLookOptions;
  #looking: Promise<void> | undefined;
  #again = false;
  #ended = false;
  #cancelTimer = () => {};

  constructor(options: RepeatedLookOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#ended) return;
    this.#again = this.#looking !== undefined;
    if (this.#again) return;
    this.#cancelTimer();
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#again) this.start();
    });
  }

  /** Waits for a look that has begun. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#cancelTimer();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const waitMs = await this.#options.look();
    if (!this.#ended) this.#cancelTimer = this.#options.clock.after(waitMs, () => this.start());
  }
}
