import type { Clock } from '../../../../basics/clock.ts';
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

/** How long a request waits for an answer that it can do without: the AWS client itself retries for minutes. */
const patienceMs = 5000;

function inTime<T>(clock: Clock, answer: Promise<T>): Promise<T> {
  let cancel = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Unreachable(`AWS did not answer within ${patienceMs / 1000} seconds.`);
    cancel = clock.after(patienceMs, () => reject(error));
  });
  return Promise.race([answer, late]).finally(cancel);
}

async function orReason<T>(ask: () => Promise<T>): Promise<Offer<T>> {
  try {
    return { value: await callAws(ask) };
  } catch (cause) {
    if (!(cause instanceof Unreachable) && !isAccessError(cause)) throw cause;
    return { reason: errorMessage(cause) };
  }
}

/** Returns the reason if the permission is missing or AWS does not answer in time. */
export const askOptional = <T>({ clock }: Region, ask: () => Promise<T>): Promise<Offer<T>> =>
  orReason(() => inTime(clock, ask()));

/**
 * Reads a list that only helps to find mistakes early: without the permission, or if AWS does not answer, the stack is
 * created without the check. An empty list says nothing either. The result is cached, also when there is none,
 * and when it comes too late for this request.
 */
export async function readOffer<T>(
  region: Region,
  key: string,
  read: () => Promise<readonly T[]>,
): Promise<Offer<readonly T[]>> {
  const { value: offer, reason } = await askOptional(region, () =>
    readCached(region, `offer of ${key}`, async (): Promise<Offer<readonly T[]>> => {
      const found = await orReason(read);
      return found.value?.length === 0 ? { reason: 'AWS lists none.' } : found;
    }),
  );
  return offer ?? { reason };
}
