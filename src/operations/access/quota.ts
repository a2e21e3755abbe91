import { Failure } from '../../basics/failure.ts';
import type { Quota } from '../../model/quota.ts';
import { type AccountRow, findAccount } from '../../store/access/account-rows.ts';
import type { Service } from '../service.ts';

/** A change by the operator applies on every server within this time. */
const keptMs = 5_000;

interface CachedQuota {
  quota: Promise<Quota>;
  /** Null until it is read. */
  value: Quota | null;
  readAt: number;
}

const caches = new WeakMap<Service, Map<string, CachedQuota>>();

function cacheOf(service: Service): Map<string, CachedQuota> {
  const known = caches.get(service);
  if (known) return known;
  const cache = new Map<string, CachedQuota>();
  caches.set(service, cache);
  return cache;
}

/** What the operator has set for the account, and the defaults of the server for the rest. */
export const quotaFrom = (
  account: Pick<AccountRow, 'max_stacks' | 'max_versions' | 'max_streams' | 'max_requests'> | undefined,
  defaults: Quota,
): Quota => ({
  stacks: account?.max_stacks ?? defaults.stacks,
  versions: account?.max_versions ?? defaults.versions,
  streams: account?.max_streams ?? defaults.streams,
  requests: account?.max_requests ?? defaults.requests,
});

const readQuota = async ({ database, settings }: Service, accountId: string): Promise<Quota> =>
  quotaFrom(await findAccount(database.query, accountId), settings.quota);

const cachedQuota = (service: Service, accountId: string): CachedQuota | undefined => {
  const cached = cacheOf(service).get(accountId);
  return cached && service.clock.now() - cached.readAt < keptMs ? cached : undefined;
};

/** The quota of an account, at most a few seconds old. Cheap enough to call on every request. */
export const quotaOf = (service: Service, accountId: string): Promise<Quota> =>
  cachedQuota(service, accountId)?.quota ?? readAndKeep(service, accountId);

/** The same without waiting, if it is known. */
export const knownQuota = (service: Service, accountId: string): Quota | null =>
  cachedQuota(service, accountId)?.value ?? null;

function readAndKeep(service: Service, accountId: string): Promise<Quota> {
  const cache = cacheOf(service);
  const quota = readQuota(service, accountId);
  const kept: CachedQuota = { quota, value: null, readAt: service.clock.now() };
  cache.set(accountId, kept);
  quota.then(
    (value) => {
      kept.value = value;
    },
    () => cache.delete(accountId), // a failed read is not cached
  );
  return quota;
}

const meanings: Readonly<Record<keyof Quota, string>> = {
  stacks: 'stacks',
  versions: 'versions of a stack',
  streams: 'open event streams',
  requests: 'requests per second',
};

/** `advice` says what the caller can do without the operator. */
export const quotaExceeded = (name: keyof Quota, limit: number, advice: string): Failure =>
  new Failure(
    name === 'stacks' ? 'quota_exceeded' : 'too_many_requests',
    `The account has reached its quota of ${limit} ${meanings[name]}`,
    {
      description: `${advice} The operator of this server can raise the quota (almanac account quota).`,
      ...(name === 'stacks' ? {} : { retryAfter: 5 }),
    },
  );
