import { SharedReading } from '../../shared/shared-reading.ts';
import type { Region } from '../region.ts';

/** What AWS offers changes rarely, and is the same for every stack of a region: asked once, it holds for many. */
const maxAgeMs = 600_000;
const maxKept = 100;

const kept = new WeakMap<Region, Map<string, SharedReading<unknown>>>();

/** `question` names what is read, in full: whoever asks the same gets the same answer for a while. */
export async function readOnce<T>(region: Region, question: string, read: () => Promise<T>): Promise<T> {
  const known = kept.get(region) ?? new Map<string, SharedReading<unknown>>();
  kept.set(region, known);
  const reading = known.get(question) ?? new SharedReading<unknown>(region.clock, region.order, read);
  const [oldest] = known.keys();
  if (known.size >= maxKept && oldest !== undefined) known.delete(oldest);
  known.set(question, reading);
  // Everyone who asks this question reads the same kind of thing.
  return (await reading.get(maxAgeMs)).value as T;
}
