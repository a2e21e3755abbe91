import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import type { LogLine } from '../../basics/text/log-line.ts';

/** One message to the service. */
export interface LogMessage {
  batch: number;
  lines: LogLine[];
  left_out: number;
  last: boolean;
  problem: string;
}

interface OutboxOptions {
  clock: Clock;
  /** False: the service does not know the request, at least at present. */
  send: (message: LogMessage) => Promise<boolean>;
  /** Aborted when nobody waits for the lines any more. */
  signal: AbortSignal;
}

/** Lines that wait to be sent. If they are too many, the reader of a container waits too. */
const maxWaiting = 1000;
const maxBatchLines = 200;
const maxBatchBytes = 200_000;
/** At most this many messages in a second: 2. */
const gapMs = 500;
const retryMs = 2000;
/** Before the first message, so that it has the first lines. */
const collectMs = 50;

/** Sends the lines of one request in messages, one after the other, and each until it has arrived. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting: LogLine[] = [];
  #leftOut = 0;
  #problem = '';
  #isEnded = false;
  #isDue = false;
  #batch: number;
  #wake = () => {};
  #makeRoom: (() => void)[] = [];

  constructor(options: OutboxOptions) {
    this.#options = options;
    // Higher than the numbers of an agent that was restarted.
    this.#batch = options.clock.now();
  }

  /** Waits while too many lines wait. */
  async put(line: LogLine): Promise<void> {
    const { signal } = this.#options;
    while (this.#waiting.length >= maxWaiting && !signal.aborted)
      await new Promise<void>((resolve) => {
        this.#makeRoom.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    this.offer(line);
  }

  /** Leaves out the oldest line if too many wait. */
  offer(line: LogLine): void {
    this.#waiting.push(line);
    if (this.#waiting.length > maxWaiting) {
      this.#waiting.shift();
      this.#leftOut += 1;
    }
    this.#wake();
  }

  /** Sends a message even without a line, so that the reader knows that it is connected. */
  flush(problem = ''): void {
    this.#problem = problem;
    this.#isDue = true;
    this.#wake();
  }

  end(problem = ''): void {
    this.#isEnded = true;
    this.flush(problem);
  }

  /** Sends until the end or until nobody waits. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    await pause(clock, collectMs, signal);
    while (!signal.aborted) {
      await this.#untilDue();
      if (signal.aborted) return;
      const message = this.#nextMessage();
      await this.#deliver(message);
      if (message.last) return;
      await pause(clock, gapMs, signal);
    }
  }

  #untilDue(): Promise<void> {
    const isDue = () => this.#isDue || this.#waiting.length > 0 || this.#options.signal.aborted;
    if (isDue()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = () => {
        if (isDue()) resolve();
      };
    });
  }

  #nextMessage(): LogMessage {
    let bytes = 0;
    let count = 0;
    for (const { text } of this.#waiting.slice(0, maxBatchLines)) {
      bytes += Buffer.byteLength(text) + 200;
      if (bytes > maxBatchBytes) break;
      count += 1;
    }
    const lines = this.#waiting.splice(0, count);
    const last = this.#isEnded && this.#waiting.length === 0;
    // The problem that ends the request is the last that is said.
    const problem = this.#isEnded && !last ? '' : this.#problem;
    const message = { batch: ++this.#batch, lines, left_out: this.#leftOut, last, problem };
    this.#leftOut = 0;
    if (problem !== '') this.#problem = '';
    this.#isDue = this.#isEnded;
    for (const resolve of this.#makeRoom.splice(0)) resolve();
    return message;
  }

  /** A server that was just restarted does not know the request for some seconds. */
  async #deliver(message: LogMessage): Promise<void> {
    const { clock, send, signal } = this.#options;
    while (!signal.aborted) {
      if (await send(message).catch(() => false)) return;
      await pause(clock, retryMs, signal);
    }
  }
}
