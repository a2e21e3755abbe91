import { Unreachable } from '../../../vendor.ts';
import { callAws, errorMessage, isAccessError } from '../../errors.ts';
import type { Region } from '../../region.ts';
import { readCached } from '../read-cached.ts';

/** What AWS offers, or the reason why it is unknown. */
export type Offer<T> = { value: T; reason?: undefined } | { value?: undefined; reason: string };

interface Page<T> {
  items: readonly T[] | undefined;
  next: string | undefined;
}

const maxPages = 20;

/** Reads all pages. A part of a list would look as if AWS did not offer the rest. */
export async function readPages<T>(read: (marker: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  let marker: string | undefined;
  for (let page = 1; page <= maxPages; page += 1) {
    const { items = [], next } = await read(marker);
    found.push(...items);
    if (next === undefined || next === '') return found;
    marker = next;
  }
  throw new Unreachable(`AWS did not end its list after ${maxPages} pages.`);
}

/**
 * Reads a list that only helps to find mistakes early: without the permission, or if AWS does not answer, the stack is
 * created without the check. An empty list says nothing either. The result is cached, also when there is none.
 */
export const readOffer = <T>(
  region: Region,
  key: string,
  read: () => Promise<readonly T[]>,
): Promise<Offer<readonly T[]>> =>
  readCached(region, `offer of ${key}`, async () => {
    try {
      const value = await callAws(read);
      return value.length > 0 ? { value } : { reason: 'AWS lists none.' };
    } catch (cause) {
      if (!(cause instanceof Unreachable) && !isAccessError(cause)) throw cause;
      return { reason: errorMessage(cause) };
    }
  });
