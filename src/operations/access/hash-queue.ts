import { availableParallelism } from 'node:os';
import { Failure } from '../../basics/failure.ts';

/** Runs the work when it is the caller's turn. */
export type RunHash = <T>(work: () => Promise<T>) => Promise<T>;

/** For work whose turn has come. */
export const runAtOnce: RunHash = (work) => work();

interface Waiting {
  start(): void;
  refuse(): void;
}

export interface HashLimits {
  /** Hashes computed at the same time. */
  parallel: number;
  maxWaiting: number;
  maxWaitingPerCaller: number;
  /** Callers remembered for their last correct password. */
  maxTrusted: number;
}

/** One core stays free for requests. Node has four threads, which name lookups and files use too: one of them stays free as well. */
const defaultLimits = (): HashLimits => ({
  parallel: Math.max(1, Math.min(availableParallelism() - 1, 3)),
  maxWaiting: 128,
  maxWaitingPerCaller: 32,
  maxTrusted: 10_000,
});

const retryAfter = 5;
const tooMany = () =>
  new Failure('too_many_requests', `Too many passwords wait to be checked; try again in ${retryAfter} s`, {
    retryAfter,
  });

/**
 * Password hashes are expensive on purpose. This queue limits how many are computed and how many wait, and callers take turns, so
 * that a flood from one address delays others by one hash at most. When it is full, the caller with the most waiting yields.
 *
 * A flood from many addresses fills it with callers of one turn each. Callers with a correct password before are trusted: they are
 * admitted all the same, and every second turn is theirs.
 */
export class HashQueue {
  readonly #limits: HashLimits;
  /** By caller; the caller whose turn is next is first. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Trusted callers, the longest unused first. */
  readonly #trusted = new Set<string>();
  #lastWasTrusted = false;
  #waitingCount = 0;
  #running = 0;

  constructor(limits: Partial<HashLimits> = {}) {
    this.#limits = { ...defaultLimits(), ...limits };
  }

  of(caller: string): RunHash {
    return (work) => this.#run(caller, work);
  }

  /** The caller proved a correct password. */
  trust(caller: string): void {
    this.#trusted.delete(caller);
    this.#trusted.add(caller);
    const [oldest] = this.#trusted;
    if (this.#trusted.size > this.#limits.maxTrusted && oldest !== undefined) this.#trusted.delete(oldest);
  }

  /** Call it before any other work for the caller, so that a flood costs little. */
  refuseIfFull(caller: string): void {
    const own = this.#waiting.get(caller)?.length ?? 0;
    if (own >= this.#limits.maxWaitingPerCaller) throw tooMany();
    if (this.#waitingCount < this.#limits.maxWaiting || this.#trusted.has(caller)) return;
    if (own + 1 >= this.#longest().length) throw tooMany();
  }

  async #run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.parallel) await this.#wait(caller);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  #wait(caller: string): Promise<void> {
    this.refuseIfFull(caller);
    if (this.#waitingCount >= this.#limits.maxWaiting) this.#yieldOne();
    return new Promise((start, reject) => {
      const own = this.#waiting.get(caller) ?? [];
      own.push({ start, refuse: () => reject(tooMany()) });
      this.#waiting.set(caller, own);
      this.#waitingCount += 1;
    });
  }

  /** Of equals, the one that came last. */
  #longest(): Waiting[] {
    const [first = [], ...others] = this.#waiting.values();
    return others.reduce((longest, each) => (each.length >= longest.length ? each : longest), first);
  }

  #yieldOne(): void {
    const longest = this.#longest();
    longest.pop()?.refuse();
    this.#waitingCount -= 1;
    if (longest.length > 0) return;
    for (const [caller, own] of this.#waiting) if (own === longest) this.#waiting.delete(caller);
  }

  /** The caller whose turn is next: a trusted one every second time. */
  #nextCaller(): string | undefined {
    const callers = [...this.#waiting.keys()];
    const trusted = this.#lastWasTrusted ? undefined : callers.find((caller) => this.#trusted.has(caller));
    this.#lastWasTrusted = trusted !== undefined;
    return trusted ?? callers[0];
  }

  /** Passes the place of a finished hash on to the next caller. */
  #startNext(): void {
    const caller = this.#nextCaller();
    const own = caller === undefined ? undefined : this.#waiting.get(caller);
    if (caller === undefined || own === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(caller);
    const first = own.shift();
    if (own.length > 0) this.#waiting.set(caller, own);
    this.#waitingCount -= 1;
    first?.start();
  }
}
