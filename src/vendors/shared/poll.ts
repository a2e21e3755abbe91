/** How often stacks are looked at on clouds that do not announce changes. */

/** Poll interval of a stack that does not change: it may still be changed by hand. */
const idlePollMs = 600_000;

/** All idle stacks are polled at the same moments, so that they share one read. */
export const untilNextIdlePoll = (now: number): number => idlePollMs - (now % idlePollMs);

/** Reads of stacks that are younger than this are shared. */
export const cachedMs = (pollMs: number): number => (pollMs * 4) / 5;

/** Back-off: operations that run long often run very long. */
export function pollAfter(pollMs: number, ageMs: number): number {
  if (ageMs < 60_000) return pollMs;
  return ageMs < 600_000 ? 3 * pollMs : 6 * pollMs;
}
