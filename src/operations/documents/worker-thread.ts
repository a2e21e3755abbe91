import { Worker } from 'node:worker_threads';
import type { Clock } from '../../basics/clock.ts';
import { youngMegabytes } from '../../basics/config/documents.ts';
import { type Reply, type Request, ready } from './messages.ts';

export interface ThreadLimits {
  /** Time of one job. */
  maxSeconds: number;
  /** Memory of the JavaScript values of one thread. */
  maxMegabytes: number;
}

/** The thread ended before it replied. */
export class ThreadEnded extends Error {
  readonly reason: 'time' | 'memory' | 'crash';

  constructor(reason: ThreadEnded['reason'], cause?: unknown) {
    super(`The worker thread ended: ${reason}`, { cause });
    this.reason = reason;
  }
}

const endedBy = (error: unknown): ThreadEnded => {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return new ThreadEnded(isMemory ? 'memory' : 'crash', error);
};

export interface ThreadOptions extends ThreadLimits {
  /** Path of the built `worker.ts`. */
  program: string;
  clock: Clock;
}

interface Waiting {
  resolve: (message: unknown) => void;
  reject: (error: ThreadEnded) => void;
}

/** A program that is loaded takes well under a second, on a busy machine a few. */
const maxStartMs = 20_000;

/** One worker thread. After it rejected a job it has ended. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  #cancelTimer = (): void => {};
  #waiting: Waiting | null = null;
  #hasEnded = false;

  private constructor(options: ThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.program, {
      name: 'documents',
      // Nothing of the settings, which contain secrets, is needed there.
      env: {},
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: options.maxMegabytes,
        maxYoungGenerationSizeMb: youngMegabytes(options.maxMegabytes),
      },
    });
    this.#worker.unref();
    this.#worker.on('message', (message) => this.#end(({ resolve }) => resolve(message)));
    this.#worker.on('error', (error) => this.#fail(endedBy(error)));
    this.#worker.on('exit', () => this.#fail(new ThreadEnded('crash')));
  }

  /** It cannot be used again. A thread can also end between two jobs. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Starts a thread and waits until its program is loaded, so that the time of a job does not include that. */
  static async start(options: ThreadOptions): Promise<WorkerThread> {
    const thread = new WorkerThread(options);
    const reply = thread.#reply();
    thread.#cancelTimer = options.clock.after(maxStartMs, () => thread.#timeOut());
    if ((await reply) !== ready) throw new ThreadEnded('crash');
    return thread;
  }

  async ask(request: Request): Promise<Reply> {
    const { clock, maxSeconds } = this.#options;
    const reply = this.#reply();
    this.#cancelTimer = clock.after(maxSeconds * 1000, () => this.#timeOut());
    this.#worker.postMessage(request, []);
    return (await reply) as Reply;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #timeOut(): void {
    this.#fail(new ThreadEnded('time'));
    void this.stop();
  }

  #fail(error: ThreadEnded): void {
    this.#hasEnded = true;
    this.#end(({ reject }) => reject(error));
  }

  #reply(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #end(settle: (waiting: Waiting) => void): void {
    this.#cancelTimer();
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) settle(waiting);
  }
}
