import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import { CliError } from '../cli-error.ts';
import { ApiError } from '../net/api-error.ts';
import { chunksOf } from '../net/http.ts';

interface LineTools {
  clock: Clock;
  signal: AbortSignal;
  /** Told once when the line is lost, and once when it is back. */
  lost(why: string): void;
  back(): void;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;
/** The service gives a sign of life every 5 s. */
const silenceSeconds = 30;
/** A stream that went on for so long was a good one. */
const steadyMs = 5_000;

/** Whether it may be different soon: nothing was reached, or something in between answered, or the service is not up yet. */
const mayPass = (error: unknown): error is CliError => {
  if (!(error instanceof ApiError)) return error instanceof CliError && error.exitReason === 'noAnswer';
  const { status, body } = error;
  return status >= 500 || status === 408 || status === 429 || (status === 404 && body === null);
};

/** The line to the service during a long stay: what breaks is tried again, with pauses that grow. */
export class Line {
  readonly #tools: LineTools;
  #pauseMs = firstPauseMs;
  #isLost = false;

  constructor(tools: LineTools) {
    this.#tools = tools;
  }

  /** Tries until it goes well. Only a refusal of the service and the end of the stay are thrown. */
  async hold<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const found = await attempt();
        if (this.#isLost) this.#tools.back();
        this.#isLost = false;
        return found;
      } catch (error) {
        if (this.#tools.signal.aborted || !mayPass(error)) throw error;
        if (!this.#isLost) this.#tools.lost(error.message);
        this.#isLost = true;
      }
      await this.rest();
    }
  }

  /** What comes on it. Silence breaks it. */
  async *listen(body: IncomingMessage): AsyncGenerator<string> {
    const { clock } = this.#tools;
    const began = clock.now();
    body.setEncoding('utf8');
    for await (const chunk of chunksOf<string>(clock, body, silenceSeconds)) {
      if (clock.now() - began > steadyMs) this.#pauseMs = firstPauseMs;
      yield chunk;
    }
  }

  /** A pause before the next try; the end of the stay ends it. */
  async rest(): Promise<void> {
    const { clock, signal } = this.#tools;
    signal.throwIfAborted();
    await pause(clock, this.#pauseMs, signal);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    signal.throwIfAborted();
  }
}
