import type { Clock } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import { healthz, metrics, readyz } from '../../contract/operational.ts';
import type { Route } from '../../contract/route.ts';

/** How often one caller may call. */
export interface RateLimits<A> {
  /** Each throws a `too_many_requests` failure when the caller has to wait. */
  countStranger(address: string): void;
  countActor(actor: A, route: Route): void;
}

export interface RateLimitOptions<A> {
  clock: Clock;
  /** Requests a second; 0: no limit. */
  perActor: number;
  perStranger: number;
  /** Who shares one allowance. */
  allowanceOf: (actor: A, route: Route) => string;
}

/** Twice a second's worth may come at once. */
const burstSeconds = 2;
/** Beyond this many callers at a time the one heard longest ago is forgotten, which only ever favours it. */
const maxBuckets = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** A token bucket for each name, in this process only. */
export class TokenBuckets {
  readonly #clock: Clock;
  readonly #perSecond: number;
  /** In the order they were last used. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one and answers 0, or answers how many seconds to wait for the next. */
  take(name: string): number {
    const now = this.#clock.now();
    const tokens = this.#tokensOf(name, now);
    this.#buckets.delete(name);
    this.#buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    this.#forgetIdle(now);
    return tokens >= 1 ? 0 : (1 - tokens) / this.#perSecond;
  }

  #tokensOf(name: string, now: number): number {
    const most = Math.max(1, this.#perSecond * burstSeconds);
    const bucket = this.#buckets.get(name);
    // A clock that was set back gives nothing and takes nothing.
    const gained = bucket ? (Math.max(0, now - bucket.at) / 1000) * this.#perSecond : 0;
    return bucket ? Math.min(most, bucket.tokens + gained) : most;
  }

  /** A bucket that is full again is as good as none. */
  #forgetIdle(now: number): void {
    const fullAfterMs = Math.max(burstSeconds, 1 / this.#perSecond) * 1000;
    for (const [name, { at }] of this.#buckets) {
      if (now - at < fullAfterMs && this.#buckets.size <= maxBuckets) return;
      this.#buckets.delete(name);
    }
  }
}

/** An IPv6 host commands a whole /64 of addresses, so that is one caller. */
export const callerAt = (address: string): string => {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const start = head.split(':').filter(Boolean);
  const end = tail.split(':').filter(Boolean);
  const zeros = address.includes('::') ? Array<string>(8 - start.length - end.length).fill('0') : [];
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
};

const refuse = (seconds: number): void => {
  if (seconds === 0) return;
  const retryAfter = Math.max(1, Math.ceil(seconds));
  throw new Failure('too_many_requests', `Too many requests; try again in ${retryAfter} s`, { retryAfter });
};

/** Those who watch the service must get through however busy it is. */
const unlimited = new Set<string>([healthz.path, readyz.path, metrics.path]);
export const isLimited = (route: Route): boolean => !unlimited.has(route.path);

export const makeRateLimits = <A>(options: RateLimitOptions<A>): RateLimits<A> => {
  const { clock, perActor, perStranger, allowanceOf } = options;
  const actors = new TokenBuckets(clock, perActor);
  const strangers = new TokenBuckets(clock, perStranger);
  return {
    countStranger: (address) => refuse(perStranger === 0 ? 0 : strangers.take(callerAt(address))),
    countActor: (actor, route) => refuse(perActor === 0 ? 0 : actors.take(allowanceOf(actor, route))),
  };
};
