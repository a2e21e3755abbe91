import { backOff } from '../back-off.ts';
import type { Clock } from '../clock.ts';
import { Silent } from './unreachable.ts';

/** Where a call goes, and for whom. */
export interface Target {
  vendor: string;
  /** The host with its port, or the path of a socket. */
  host: string;
  account: string;
}

interface Silence {
  since: number;
  failedAt: number;
  /** Attempts in a row without an answer. */
  failures: number;
  /** Calls fail at once. After a single failure that came at once, such as a name that was not found, the next attempt may succeed. */
  isKnown: boolean;
  nextAt: number;
  /** One caller asks at this moment, and the others wait for the result. */
  isProbed: boolean;
}

interface Endpoint {
  vendor: string;
  /** By account: one account can make its own requests slow, and must not cut off the others. */
  own: Map<string, Silence>;
  /** For everybody: several accounts got no answer. */
  shared: Silence | undefined;
  /** When anybody got one. */
  answeredAt: number;
}

export interface EndpointChange extends Target {
  isSilent: boolean;
  /** All accounts are affected, not only the one that called. */
  isShared: boolean;
}

interface EndpointsParts {
  clock: Clock;
  onChange?: ((change: EndpointChange) => void) | undefined;
}

const pauses = { first: 2_000, max: 60_000 };
/** So many accounts without an answer mean that nobody gets one. */
const accountsForAll = 2;
const forgottenMs = 600_000;

const timeOfDay = (ms: number): string => `${new Date(ms).toISOString().slice(11, 19)} UTC`;

/**
 * Remembers which addresses do not answer (a circuit breaker): calls fail at once instead of waiting for the same silence. After a
 * pause, which grows, one call is let through; its answer ends the silence.
 */
export class Endpoints {
  readonly #clock: Clock;
  readonly #onChange: (change: EndpointChange) => void;
  /** Only those that do not answer. */
  readonly #silent = new Map<string, Endpoint>();

  constructor({ clock, onChange = () => {} }: EndpointsParts) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** How many addresses do not answer now, by vendor. */
  count(): ReadonlyMap<string, number> {
    this.#forgetOld();
    const counts = new Map<string, number>();
    for (const { vendor, own, shared } of this.#silent.values())
      if (shared || [...own.values()].some(({ isKnown }) => isKnown))
        counts.set(vendor, (counts.get(vendor) ?? 0) + 1);
    return counts;
  }

  /** Throws `Silent` unless the call may be made. Every call that may be made must end with `answered`, `failed` or `unclear`. */
  enter({ host, account }: Target): void {
    const silence = this.#silenceFor(host, account);
    if (!silence?.isKnown) return;
    const now = this.#clock.now();
    if (silence.isProbed || now < silence.nextAt) throw this.#silentError(host, silence);
    silence.isProbed = true;
  }

  answered(target: Target): void {
    const { host, account } = target;
    const endpoint = this.#silent.get(host);
    if (!endpoint) return;
    const isShared = endpoint.shared !== undefined;
    const isNews = (endpoint.own.get(account)?.isKnown ?? false) || isShared;
    endpoint.own.delete(account);
    endpoint.answeredAt = this.#clock.now();
    if (isShared || endpoint.own.size === 0) this.#silent.delete(host);
    if (isNews) this.#onChange({ ...target, isSilent: false, isShared });
  }

  /** Nobody answered. `waited`: for a while, not only that there was no connection at once. */
  failed(target: Target, waited = true): void {
    const { host, account } = target;
    this.#forgetOld();
    const endpoint = this.#endpointOf(target);
    this.#silent.set(host, endpoint);
    const before = endpoint.own.get(account);
    const wasKnown = endpoint.shared !== undefined || (before?.isKnown ?? false);
    const own = this.#after(before, waited);
    endpoint.own.set(account, own);
    const unanswered = [...endpoint.own.values()].filter(
      ({ isKnown, failedAt }) => isKnown && failedAt > endpoint.answeredAt,
    );
    const isShared = unanswered.length >= accountsForAll;
    if (isShared) endpoint.shared = this.#after(endpoint.shared, true);
    if (!wasKnown && own.isKnown) this.#onChange({ ...target, isSilent: true, isShared });
  }

  #endpointOf({ vendor, host }: Target): Endpoint {
    const none = { vendor, own: new Map<string, Silence>(), shared: undefined, answeredAt: -Infinity };
    return this.#silent.get(host) ?? none;
  }

  /** The call ended before it was clear whether anybody answers. */
  unclear({ host, account }: Target): void {
    const silence = this.#silenceFor(host, account);
    if (silence) silence.isProbed = false;
  }

  #silenceFor(host: string, account: string): Silence | undefined {
    const endpoint = this.#silent.get(host);
    return endpoint?.shared ?? endpoint?.own.get(account);
  }

  /** Calls that began before the silence was known end during the pause. They do not count as attempts. */
  #after(before: Silence | undefined, waited: boolean): Silence {
    const now = this.#clock.now();
    if (before && now < before.nextAt) return before;
    const { since = now, failures = 0 } = before ?? {};
    const isKnown = waited || failures > 0;
    const nextAt = now + (isKnown ? backOff(failures, pauses) : 0);
    return { since, failedAt: now, failures: failures + 1, isKnown, nextAt, isProbed: false };
  }

  /** Nobody has asked for long: the stack or the credential may be gone. */
  #forgetOld(): void {
    const before = this.#clock.now() - forgottenMs;
    for (const [host, { own, shared }] of this.#silent)
      if ([...own.values(), ...(shared ? [shared] : [])].every(({ nextAt }) => nextAt < before))
        this.#silent.delete(host);
  }

  #silentError(host: string, { since, nextAt, isProbed }: Silence): Silent {
    const waitMs = Math.max(1_000, nextAt - this.#clock.now());
    const next = isProbed ? 'it is being asked again now' : `it is asked again at ${timeOfDay(nextAt)}`;
    return new Silent(`${host} has not answered since ${timeOfDay(since)}; ${next}`, waitMs);
  }
}
