import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import { CliError } from '../cli-error.ts';
import { ApiError } from '../net/api-error.ts';
import { chunksOf } from '../net/http.ts';

interface ConnectionOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Called once when the connection is lost, and once when it is restored. */
  onLost(reason: string): void;
  onRestored(): void;
}

const firstPauseMs = 500;
const maxPauseMs = 15_000;
/** The service sends a heartbeat every 5 s. */
const silenceSeconds = 30;
/** A stream that lasted this long resets the back-off. */
const stableMs = 5_000;

/** True when a retry may succeed: no connection, a response of a proxy, or a service that is still starting. */
const isTransient = (error: unknown): error is CliError => {
  if (!(error instanceof ApiError)) return error instanceof CliError && error.exitReason === 'noAnswer';
  const { status, body } = error;
  return status >= 500 || status === 408 || status === 429 || (status === 404 && body === null);
};

/** Connection to the service during a long wait: failed calls are retried with exponential back-off. */
export class Connection {
  readonly #options: ConnectionOptions;
  #pauseMs = firstPauseMs;
  #isLost = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Retries until the call succeeds. Throws only permanent errors and the reason of the abort. */
  async retry<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await call();
        if (this.#isLost) this.#options.onRestored();
        this.#isLost = false;
        return result;
      } catch (error) {
        if (this.#options.signal.aborted || !isTransient(error)) throw error;
        if (!this.#isLost) this.#options.onLost(error.message);
        this.#isLost = true;
      }
      await this.backOff();
    }
  }

  /** Yields the chunks of a stream. A stalled stream is an error. */
  async *read(body: IncomingMessage): AsyncGenerator<string> {
    const { clock } = this.#options;
    const start = clock.now();
    body.setEncoding('utf8');
    for await (const chunk of chunksOf<string>(clock, body, silenceSeconds)) {
      if (clock.now() - start > stableMs) this.#pauseMs = firstPauseMs;
      yield chunk;
    }
  }

  /** Pauses before the next attempt; an abort ends the pause. */
  async backOff(): Promise<void> {
    const { clock, signal } = this.#options;
    signal.throwIfAborted();
    await pause(clock, this.#pauseMs, signal);
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
    signal.throwIfAborted();
  }
}
