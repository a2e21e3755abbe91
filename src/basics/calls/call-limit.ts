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
}

/** After a stop, calls in progress have this long: most are answered much sooner. */
const stopGraceMs = 2_000;
/** A call that waited less before its work was ended says nothing about its address. */
const silenceMs = 5_000;

/** The time that is left for one piece of work. */
class Limit {
  readonly options: LimitOptions;
  /** The hosts whose answers the work waits for. */
  readonly waitsFor = new Set<string>();
  readonly #over = new AbortController();
  #endsAt: number;
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
    const isExpired = error instanceof Unreachable && clock.now() - began >= silenceMs;
    endpoints[isExpired || isSilence(error) ? 'failed' : 'unclear'](target);
    throw error;
  } finally {
    waitsFor.delete(host);
  }
}
