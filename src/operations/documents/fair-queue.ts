export interface QueueLimits {
  perCaller: number;
  total: number;
}

/** Callers whose last turn is remembered; more than can wait at once. */
const maxRemembered = 1000;

/**
 * A queue in which callers take turns: next is the one whose last turn was longest ago. So one who adds many entries does
 * not delay the others, also not those who come later.
 */
export class FairQueue<T> {
  readonly #limits: QueueLimits;
  readonly #callers = new Map<string, T[]>();
  /** The numbers of the last turns, oldest first. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;
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

  take(mayServe: (caller: string) => boolean = () => true): T | undefined {
    const waiting = [...this.#callers.keys()].filter(mayServe);
    const [caller] = waiting.toSorted((a, b) => this.#lastTurn(a) - this.#lastTurn(b));
    if (caller === undefined) return undefined;
    const entries = this.#callers.get(caller) ?? [];
    const entry = entries.shift();
    if (entries.length === 0) this.#callers.delete(caller);
    this.#size -= 1;
    this.#rememberTurn(caller);
    return entry;
  }

  #lastTurn(caller: string): number {
    return this.#lastTurns.get(caller) ?? 0;
  }

  #rememberTurn(caller: string): void {
    this.#turns += 1;
    this.#lastTurns.delete(caller);
    this.#lastTurns.set(caller, this.#turns);
    const [oldest] = this.#lastTurns.keys();
    if (this.#lastTurns.size > maxRemembered && oldest !== undefined) this.#lastTurns.delete(oldest);
  }
}
