export interface QueueLimits {
  perCaller: number;
  total: number;
}

/** A queue in which callers take turns, so that one who adds many entries does not delay the others. */
export class FairQueue<T> {
  readonly #limits: QueueLimits;
  /** In the order of their turns. */
  readonly #callers = new Map<string, T[]>();
  #size = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** False: the queue is full, or the caller already has too many entries in it. */
  add(caller: string, entry: T): boolean {
    const entries = this.#callers.get(caller) ?? [];
    if (this.#size >= this.#limits.total || entries.length >= this.#limits.perCaller) return false;
    entries.push(entry);
    this.#callers.set(caller, entries);
    this.#size += 1;
    return true;
  }

  take(): T | undefined {
    const [next] = this.#callers;
    if (!next) return undefined;
    const [caller, entries] = next;
    const entry = entries.shift();
    this.#callers.delete(caller);
    if (entries.length > 0) this.#callers.set(caller, entries);
    this.#size -= 1;
    return entry;
  }
}
