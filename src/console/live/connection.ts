import { after, now } from '../clock.ts';
import { heartbeatEvery, quietAfter } from './liveness.ts';

/** One connection of a stream. It ends itself when it is silent: a network that is gone does not say so. */
export class Connection {
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  readonly #openedAt = now();
  #heardAt = now();
  #cancel = (): void => {};

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#end.signal]);
    const until = { signal: this.signal };
    addEventListener('online', () => this.end(), until);
    // The timers of a hidden page, or of a computer that sleeps, are late.
    document.addEventListener('visibilitychange', () => this.#endIfSilent(), until);
    this.heard();
  }

  heard(): void {
    this.#heardAt = now();
    this.#cancel();
    this.#cancel = after(quietAfter, () => this.end());
  }

  /** It worked: a service that ends every connection at once does not count. */
  get lasted(): boolean {
    return this.#heardAt - this.#openedAt >= heartbeatEvery;
  }

  end(): void {
    this.#cancel();
    this.#end.abort();
  }

  #endIfSilent(): void {
    if (now() - this.#heardAt >= quietAfter) this.end();
  }
}
