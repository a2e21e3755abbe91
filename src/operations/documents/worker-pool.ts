import { Failure } from '../../basics/failure.ts';
import type { MemoryRoom } from '../../basics/memory-room.ts';
import { FairQueue, type QueueLimits } from './fair-queue.ts';
import { type Request, resultOf } from './messages.ts';
import { ThreadEnded, type ThreadLimits, type ThreadOptions, WorkerThread } from './worker-thread.ts';

/** How a job ended: with a result or a refusal of the document, at a limit, or without a thread. */
export type JobEnd = 'done' | ThreadEnded['reason'] | 'rejected';

export interface PoolOptions extends ThreadOptions {
  maxThreads: number;
  memory: MemoryRoom;
  /** Called once per job. */
  onEnd?: (end: JobEnd) => void;
}

interface Task {
  caller: string;
  request: Request;
  since: number;
  resolve: (packed: unknown) => void;
  reject: (error: unknown) => void;
}

/** A document has at most 1 MiB, so the whole queue has at most 64 MiB. */
const queueLimits: QueueLimits = { perCaller: 16, total: 64 };
/** Callers do not wait longer than this for a reply. */
const maxWaitMs = 30_000;

const busy = () =>
  new Failure('unavailable', 'The server is processing too many large documents', {
    description: 'Nothing was changed. Try again later.',
    retryAfter: 5,
  });

const noMemory = () =>
  new Failure('unavailable', 'The server has too little memory for a large document at the moment', {
    description: 'Nothing was changed. Try again later, or ask the operator of this server for more memory.',
    retryAfter: 5,
  });

const noThread = (cause: unknown) =>
  new Failure('unavailable', 'The server cannot process large documents at the moment', {
    description: 'It could not start a thread for them. Nothing was changed. Try again later.',
    retryAfter: 5,
    cause,
  });

const endedFailure = (reason: ThreadEnded['reason'], limits: ThreadLimits): Failure | null => {
  const description = 'Nothing was changed. Make the document smaller: split it into several stacks.';
  if (reason === 'time')
    return new Failure('too_large', `The document takes more than ${limits.maxSeconds} s to process`, {
      description,
    });
  if (reason === 'memory')
    return new Failure('too_large', `The document takes more than ${limits.maxMegabytes} MB to process`, {
      description,
    });
  return null;
};

/** Threads for jobs. A thread that exceeds a limit is terminated, and the next job gets a new one. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #waiting = new FairQueue<Task>(queueLimits);
  readonly #threads = new Set<WorkerThread>();
  readonly #idle: WorkerThread[] = [];
  /** The callers of the documents that are processed now. */
  readonly #running: string[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    options.memory.onShort = () => void this.#endIdle();
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get threads(): number {
    return this.#threads.size;
  }

  /** Resolves to the packed result; rejects as the job does. */
  run(request: Request, caller: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const task = { caller, request, since: this.#options.clock.now(), resolve, reject };
      if (this.#closed || !this.#waiting.add(caller, task)) this.#turnAway(task);
      else this.#startTasks();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let task = this.#waiting.take(); task; task = this.#waiting.take()) this.#turnAway(task);
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }

  #turnAway({ reject }: Task): void {
    this.#options.onEnd?.('rejected');
    reject(busy());
  }

  #startTasks(): void {
    while (this.#running.length < this.#options.maxThreads) {
      const task = this.#waiting.take((caller) => this.#mayRun(caller));
      if (!task) return;
      if (this.#options.clock.now() - task.since > maxWaitMs) this.#turnAway(task);
      else void this.#perform(task);
    }
  }

  /** One caller never takes all threads, so that another does not wait for the end of its documents. */
  #mayRun(caller: string): boolean {
    const share = Math.max(1, this.#options.maxThreads - 1);
    return this.#running.filter((running) => running === caller).length < share;
  }

  async #perform(task: Task): Promise<void> {
    this.#running.push(task.caller);
    try {
      task.resolve(await this.#ask(task.request));
    } catch (error) {
      task.reject(error);
    }
    this.#running.splice(this.#running.indexOf(task.caller), 1);
    this.#startTasks();
  }

  async #ask(request: Request): Promise<unknown> {
    this.#refuseWithoutMemory();
    const thread = this.#takeIdle() ?? (await this.#startThread());
    try {
      const reply = await thread.ask(request);
      this.#idle.push(thread);
      if (!this.#options.memory.fitsThread) await this.#endIdle();
      this.#options.onEnd?.('done');
      return resultOf(reply);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      this.#threads.delete(thread);
      this.#options.onEnd?.(error.reason);
      throw endedFailure(error.reason, this.#options) ?? error;
    }
  }

  #refuseWithoutMemory(): void {
    const { memory, onEnd } = this.#options;
    if (memory.fitsThread) return;
    memory.refuse();
    onEnd?.('rejected');
    throw noMemory();
  }

  /** A thread keeps the memory of its last document; a new one has little. */
  async #endIdle(): Promise<void> {
    const idle = this.#idle.splice(0);
    for (const thread of idle) this.#threads.delete(thread);
    await Promise.all(idle.map((thread) => thread.stop()));
  }

  #takeIdle(): WorkerThread | undefined {
    let thread = this.#idle.pop();
    for (; thread?.hasEnded; thread = this.#idle.pop()) this.#threads.delete(thread);
    return thread;
  }

  async #startThread(): Promise<WorkerThread> {
    const thread = await WorkerThread.start(this.#options).catch((cause: unknown) => {
      this.#options.onEnd?.('crash');
      throw noThread(cause);
    });
    // `close` knows only the threads that had started.
    if (this.#closed) {
      await thread.stop();
      throw busy();
    }
    this.#threads.add(thread);
    return thread;
  }
}
