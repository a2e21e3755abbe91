import type { Clock } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import { callerAt } from '../../basics/net/caller-at.ts';
import type { Route } from '../../contract/route.ts';

/** Rate limits per caller. */
export interface RateLimits<A> {
  /** Both throw a `too_many_requests` failure if the caller exceeds its limit. */
  countAnonymous(address: string): void;
  /** Throws as `countAnonymous` does, and counts nothing. */
  refuseAnonymous(address: string): void;
  countActor(actor: A, route: Route): void | Promise<void>;
}

/** What a request takes from one bucket. Callers with the same key share it. */
export interface Demand {
  key: string;
  /** Requests per second. 0: no limit. */
  perSecond: number;
  /** This part of the bucket stays for others. */
  keeps?: number;
}

export interface ActorLimit {
  /** A request needs room in all of them. */
  demands: readonly Demand[];
  /** Who can raise the limit. */
  advice?: string;
}

export interface RateLimitOptions<A> {
  clock: Clock;
  limitOf: (actor: A, route: Route) => ActorLimit | Promise<ActorLimit>;
  /** Requests per second. 0: no limit. */
  perAddress: number;
}

/** Size of a burst, in seconds' worth of requests. */
const burstSeconds = 2;
/** Above this number, the least recently used bucket is dropped, which only favors its caller. */
const maxBuckets = 10_000;

const sizeOf = (perSecond: number): number => Math.max(1, perSecond * burstSeconds);

interface Bucket {
  tokens: number;
  at: number;
  perSecond: number;
}

/** A token bucket per key, in memory of this process. */
export class TokenBuckets {
  readonly #clock: Clock;
  readonly #perSecond: number;
  /** In order of last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** The number of seconds until the next token; 0: there is one. */
  waitFor(key: string): number {
    return this.#waitFor({ key, perSecond: this.#perSecond }, this.#clock.now());
  }

  /** Takes a token and returns 0, or returns the number of seconds until the next token. */
  take(key: string): number {
    return this.takeAll([{ key, perSecond: this.#perSecond }]);
  }

  /** Takes a token from each bucket, or from none. Returns the number of seconds until all have one. */
  takeAll(demands: readonly Demand[]): number {
    const now = this.#clock.now();
    const wait = Math.max(...demands.map((demand) => this.#waitFor(demand, now)));
    for (const { key, perSecond } of demands) {
      const tokens = this.#tokensOf(key, now, perSecond);
      this.#buckets.delete(key);
      this.#buckets.set(key, { tokens: wait === 0 ? tokens - 1 : tokens, at: now, perSecond });
    }
    this.#dropFull(now);
    return wait;
  }

  #waitFor({ key, perSecond, keeps = 0 }: Demand, now: number): number {
    const maxTokens = sizeOf(perSecond);
    // A small bucket has no room for a reserve: one request always fits.
    const needed = 1 + Math.min(maxTokens * keeps, maxTokens - 1);
    return Math.max(0, needed - this.#tokensOf(key, now, perSecond)) / perSecond;
  }

  #tokensOf(key: string, now: number, perSecond: number): number {
    const maxTokens = sizeOf(perSecond);
    const bucket = this.#buckets.get(key);
    // No change if the clock was set back.
    const gained = bucket ? (Math.max(0, now - bucket.at) / 1000) * perSecond : 0;
    return bucket ? Math.min(maxTokens, bucket.tokens + gained) : maxTokens;
  }

  /** A full bucket is equivalent to a missing one. */
  #dropFull(now: number): void {
    for (const [key, { at, perSecond }] of this.#buckets) {
      const fullAfterMs = Math.max(burstSeconds, 1 / perSecond) * 1000;
      if (now - at < fullAfterMs && this.#buckets.size <= maxBuckets) return;
      this.#buckets.delete(key);
    }
  }
}

const rejectFor = (seconds: number, description = ''): void => {
  if (seconds === 0) return;
  const retryAfter = Math.max(1, Math.ceil(seconds));
  throw new Failure('too_many_requests', `Too many requests; retry in ${retryAfter} s`, {
    description,
    retryAfter,
  });
};

export const makeRateLimits = <A>(options: RateLimitOptions<A>): RateLimits<A> => {
  const { clock, perAddress, limitOf } = options;
  const actors = new TokenBuckets(clock, 0);
  const addresses = new TokenBuckets(clock, perAddress);
  const count = ({ demands, advice }: ActorLimit): void => {
    const limited = demands.filter(({ perSecond }) => perSecond > 0);
    rejectFor(limited.length === 0 ? 0 : actors.takeAll(limited), advice);
  };
  return {
    countAnonymous: (address) => rejectFor(perAddress === 0 ? 0 : addresses.take(callerAt(address))),
    refuseAnonymous: (address) => rejectFor(perAddress === 0 ? 0 : addresses.waitFor(callerAt(address))),
    countActor: (actor, route) => {
      const limit = limitOf(actor, route);
      return limit instanceof Promise ? limit.then(count) : count(limit);
    },
  };
};
