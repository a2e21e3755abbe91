import { SharedRead } from '../../shared/shared-read.ts';
import type { Region } from '../region.ts';

/** The offer of AWS changes rarely and is the same for every stack of a region. */
const maxAgeMs = 600_000;
const maxEntries = 100;

const caches = new WeakMap<Region, Map<string, SharedRead<unknown>>>();

/** Caches a read for a while. `key` identifies it completely, so that the same key always has the same type. */
export async function readCached<T>(region: Region, key: string, read: () => Promise<T>): Promise<T> {
  const cache = caches.get(region) ?? new Map<string, SharedRead<unknown>>();
  caches.set(region, cache);
  const cached = cache.get(key) ?? new SharedRead<unknown>(region.clock, region.sequence, read);
  const [oldest] = cache.keys();
  if (cache.size >= maxEntries && oldest !== undefined) cache.delete(oldest);
  cache.set(key, cached);
  return (await cached.get(maxAgeMs)).value as T;
}
