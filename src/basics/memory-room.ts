import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';

interface RoomOptions {
  /** Bytes that the process may have. */
  limit: number;
  /** Bytes of a thread that works on documents: what is left for it when a body is received. */
  thread: number;
  /** Bytes that the process has now. */
  used: () => number;
  /** Collects the garbage of the main thread. */
  collect: () => void;
}

/**
 * The memory that is left before the kernel ends the process. Requests and threads ask for it before they begin: a caller that is refused
 * can try again, and nobody loses the server.
 */
export class MemoryRoom {
  readonly #options: RoomOptions;
  readonly #held = new Map<string, number>();
  #refused = 0;
  /** Ends threads without work. */
  onShort: () => void = () => {};

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** How often memory was refused. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether a thread may begin, or keep its memory without work. */
  get fitsThread(): boolean {
    return this.#free() >= 0;
  }

  /** The next attempt finds what nobody needs now. */
  refuse(): void {
    this.#refused += 1;
    this.onShort();
    this.#options.collect();
  }

  /**
   * Holds memory for a request until the returned function is called; null: there is too little. With more than
   * one request an account holds at most half of what there is, so that others are served while it sends slowly.
   */
  hold(account: string, bytes: number): (() => void) | null {
    const own = this.#held.get(account) ?? 0;
    const all = [...this.#held.values()].reduce((sum, each) => sum + each, 0);
    const free = this.#free();
    if (all + bytes > free || (own > 0 && own + bytes > free / 2)) {
      this.refuse();
      return null;
    }
    this.#held.set(account, own + bytes);
    return () => this.#giveBack(account, bytes);
  }

  #free(): number {
    const { limit, thread, used } = this.#options;
    return limit - thread - used();
  }

  #giveBack(account: string, bytes: number): void {
    const left = (this.#held.get(account) ?? 0) - bytes;
    if (left > 0) this.#held.set(account, left);
    else this.#held.delete(account);
  }
}

/** The kernel can take back the pages of files at any time, so they do not count. */
export const ownMemory = (): number => {
  try {
    const lines = readFileSync('/proc/self/status', 'latin1').matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm);
    return [...lines].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
  } catch {
    return process.memoryUsage.rss(); // not Linux
  }
};

/** Compiled code in files is valid for the flags of V8 that it was made with, so the flag is set back. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  setFlagsFromString('--no-expose-gc');
};

const collectEveryMs = 2_000;

/**
 * V8 knows nothing of the limit: it leaves up to 64 MB of received bodies uncollected. Collecting stops the main thread for some 50 ms,
 * so it is not done for every refused request.
 */
export const collectSometimes = (clock: Pick<Clock, 'now'>, collect = collectGarbage): (() => void) => {
  let last = -Infinity;
  return () => {
    if (clock.now() - last < collectEveryMs) return;
    last = clock.now();
    collect();
  };
};

export const endlessMemory = new MemoryRoom({
  limit: Infinity,
  thread: 0,
  used: () => 0,
  collect: () => {},
});
