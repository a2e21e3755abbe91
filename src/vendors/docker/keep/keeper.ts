import { type SweepTools, type Swept, sweep } from './kept-volumes.ts';

interface KeeperOptions extends SweepTools {
  everyMs: number;
  done: (swept: Swept) => void;
  failed: (error: unknown) => void;
}

/** Removes kept volumes after their time, as long as the server runs. */
export class VolumeKeeper {
  readonly #options: KeeperOptions;
  #cancelTimer = () => {};
  #isStopping = false;
  #working: Promise<void> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#working = this.#sweep().finally(() => {
      if (!this.#isStopping)
        this.#cancelTimer = this.#options.clock.after(this.#options.everyMs, () => this.start());
    });
  }

  /** Settles when this round is over. */
  settled(): Promise<void> {
    return this.#working;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelTimer();
    await this.#working;
  }

  async #sweep(): Promise<void> {
    try {
      this.#options.done(await sweep(this.#options));
    } catch (error) {
      this.#options.failed(error);
    }
  }
}
