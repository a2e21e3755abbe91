import { createHash } from 'node:crypto';
import { atMost } from '../../basics/at-most.ts';
import { inParallel } from '../../basics/in-parallel.ts';
import { type Observation, type StackOnVendor, type Survey, Unreachable } from '../vendor.ts';

/** How often stacks are looked at on clouds that do not announce changes. */

/** Reads of stacks that are younger than this are shared. */
export const cachedMs = (pollMs: number): number => (pollMs * 4) / 5;

/** Back-off: operations that run long often run very long. */
export function pollAfter(pollMs: number, ageMs: number): number {
  if (ageMs < 60_000) return pollMs;
  return ageMs < 600_000 ? 3 * pollMs : 6 * pollMs;
}

/** Everything that passes read is also read for surveys. */
const aloneMs = 7 * 86_400_000;
/** Reads that are not older are shared by all stacks of a survey: lists of many pages take a while. */
export const surveyReadMs = 60_000;
/** Together with the age of the reads, a change is noticed within ten minutes. */
const everyMs = 600_000 - surveyReadMs;
/** So many ask at once: by the number of stacks asked for, a region decides whether a list takes fewer calls. */
const atOnce = 2_000;

/** Events are left out: they are read when something else changed. */
export function fingerprintOf(observation: Observation): string {
  if (observation.kind === 'unreachable') throw new Unreachable(observation.reason);
  const { lookAgainMs: _, ...seen } = { lookAgainMs: 0, ...observation };
  const { events: __, ...view } = seen.view;
  return createHash('sha256')
    .update(JSON.stringify({ ...seen, view }))
    .digest('base64url')
    .slice(0, 22);
}

/** Differs from every fingerprint, so that the stack is woken and shows it. */
const unreachable = 'unreachable';

const lookAt = async (observing: Promise<Observation>): Promise<string | Unreachable | undefined> => {
  try {
    const observation = await observing;
    return observation.kind === 'absent' ? undefined : fingerprintOf(observation);
  } catch (error) {
    if (error instanceof Unreachable) return error;
    throw error;
  }
};

/** Does what reads one stack alone, when it is its turn. */
export type InTurn = <T>(read: () => Promise<T>) => Promise<T>;

/** A server that just started reads each stack alone, once: in the way of passes as little as possible, and not while it stops. */
const turnsUntil = (stopping: AbortSignal, atOnceAlone: number): InTurn => {
  const inTurn = atMost(atOnceAlone);
  return (read) =>
    inTurn(() => {
      if (stopping.aborted) throw new Unreachable('The server stops.');
      return read();
    });
};

interface Observed {
  observe: (stack: StackOnVendor, inTurn: InTurn) => Promise<Observation>;
  /** Reads of one stack alone. Those that all stacks share are not limited. */
  atOnceAlone?: number;
}

/** For vendors whose observations share their reads: observes each stack. Fails if none can be observed. */
export const surveyByObserving = ({ observe, atOnceAlone = 1 }: Observed): Survey => ({
  everyMs,
  aloneMs,
  async look(stacks, stopping) {
    const inTurn = turnsUntil(stopping, atOnceAlone);
    const seen = await inParallel(stacks, atOnce, (stack) => lookAt(observe(stack, inTurn)));
    if (stopping.aborted) throw new Unreachable('The server stops.');
    const [first] = seen;
    if (first instanceof Unreachable && seen.every((text) => text instanceof Unreachable)) throw first;
    const texts = seen.map((text) => (text instanceof Unreachable ? unreachable : text));
    return new Map(
      stacks.flatMap(({ id }, at) => {
        const text = texts[at];
        return text === undefined ? [] : [[id, text]];
      }),
    );
  },
  textOf: fingerprintOf,
});
