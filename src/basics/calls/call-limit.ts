import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import type { Endpoints, Target } from './endpoints.ts';
import { isSilence } from './is-silence.ts';
import { ServerStops, Unreachable } from './unreachable.ts';

export interface LimitOptions {
  clock: Clock;
  /** How long the work may wait without any answer. */
  ms: number;
  /** Calls in progress end soon after it. */
  stopping: AbortSignal;
  account: string;
  endpoints: Endpoints;
  /** Waits for shared work as long as that gets answers. Otherwise a caller waits for this work. */
  isPatient?: boolean;
}

/** After a stop, calls in progress have this long: most are answered much sooner. */
const stopGraceMs = 2_000;
/** A call that waited less before its work was ended says nothing about its address: some requests to clouds take this long. */
const silenceMs = 9_000;
/** A failure that came sooner says that there was no connection, perhaps only for a moment. */
const atOnceMs = 1_000;
/** Shared work ends after this time without an answer, also if a caller of the API began it. */
const sharedMs = 30_000;

/** The time that is left for one piece of work. */
class Limit {
  readonly options: LimitOptions;
  /** The hosts whose answers the work waits for. */
  readonly waitsFor = new Set<string>();
  readonly #over = new AbortController();
  #endsAt: number;
  #held = 0;
  #cancelEnd = () => {};
  #cancelStop = () => {};

  constructor(options: LimitOptions) {
    const { clock, ms, stopping } = options;
    this.options = options;
    // One for each piece of work, and for each call.
    setMaxListeners(0, stopping, this.signal);
    this.#endsAt = clock.now() + ms;
    this.#checkLater();
    if (stopping.aborted) this.#stopSoon();
    else stopping.addEventListener('abort', this.#stopSoon, { once: true });
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  extend(ms: number): void {
    this.#endsAt = Math.max(this.#endsAt, this.options.clock.now() + ms);
  }

  /** The time does not run out until the function that this returns is called. */
  hold(): () => void {
    this.#held += 1;
    return () => {
      this.#held -= 1;
    };
  }

  /** The work has ended. */
  close(): void {
    this.options.stopping.removeEventListener('abort', this.#stopSoon);
    this.#cancelStop();
    this.#cancelEnd();
  }

  readonly #stopSoon = (): void => {
    this.#cancelStop = this.options.clock.after(stopGraceMs, () => this.#over.abort(new ServerStops()));
  };

  #checkLater(): void {
    const { clock } = this.options;
    this.#cancelEnd = clock.after(Math.max(0, this.#endsAt - clock.now()), () => {
      if (this.#held > 0) this.extend(this.options.ms);
      if (clock.now() < this.#endsAt) this.#checkLater();
      else this.#over.abort(this.#expired());
    });
  }

  #expired(): Unreachable {
    const whom = [...this.waitsFor].join(', ') || 'The vendor';
    return new Unreachable(`${whom} did not answer within ${this.options.ms / 1000} seconds`);
  }
}

/** Every vendor call finds the limit of the work it belongs to, without a parameter in each function on the way. */
const limits = new AsyncLocalStorage<Limit | undefined>();

/**
 * Runs work that calls vendors. When it waits too long, it fails with `Unreachable`, its calls are aborted, and it can make no other one:
 * what is left of it changes nothing at the vendor.
 */
export async function withCallLimit<T>(options: LimitOptions, work: () => Promise<T>): Promise<T> {
  const limit = new Limit(options);
  try {
    return await untilAborted(limit.signal, limits.run(limit, work));
  } finally {
    limit.close();
  }
}

/** For a call that is known to take this long: the work that makes it may too. */
export const extendCallLimit = (ms: number): void => limits.getStore()?.extend(ms);

/** For work that goes on after the work that began it. */
export const withoutCallLimit = <T>(work: () => T): T => limits.run(undefined, work);

/** For work that several wait for, such as a list: it has a limit of its own, and does not end with the work that began it. */
export function sharedWork<T>(work: () => Promise<T>): Promise<T> {
  const limit = limits.getStore();
  if (!limit) return work();
  return withCallLimit({ ...limit.options, ms: Math.max(limit.options.ms, sharedMs) }, work);
}

/** Waits for shared work. Its limit ends it if nobody answers. */
export async function waitForShared<T>(work: Promise<T>): Promise<T> {
  const limit = limits.getStore();
  if (!limit) return work;
  const release = limit.options.isPatient ? limit.hold() : () => {};
  try {
    const result = await work;
    limit.extend(limit.options.ms);
    return result;
  } finally {
    release();
  }
}

/** The result of the work, or the reason of the signal, whichever comes first. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/**
 * One request to an address. Fails at once if the address has not answered before, and when the work that it belongs to has no time
 * left. The signal aborts a request whose answer nobody waits for any more. An answer of any kind must not be thrown.
 */
export async function callEndpoint<T>(
  { vendor, host }: Pick<Target, 'vendor' | 'host'>,
  call: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const limit = limits.getStore();
  if (!limit) return call(undefined);
  const { signal, waitsFor } = limit;
  const { clock, account, endpoints } = limit.options;
  const target = { vendor, host, account };
  signal.throwIfAborted();
  endpoints.enter(target);
  waitsFor.add(host);
  const began = clock.now();
  try {
    const result = await untilAborted(signal, call(signal));
    endpoints.answered(target);
    limit.extend(limit.options.ms);
    return result;
  } catch (error) {
    const waitedMs = clock.now() - began;
    const isExpired = error instanceof Unreachable && waitedMs >= silenceMs;
    if (isExpired || isSilence(error)) endpoints.failed(target, waitedMs >= atOnceMs);
    else endpoints.unclear(target);
    throw error;
  } finally {
    waitsFor.delete(host);
  }
}
