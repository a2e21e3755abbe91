/** How current the page is. */
export type Liveness =
  | { state: 'live' }
  | { state: 'reconnecting' }
  /** Nothing on the page may be trusted any more. */
  | { state: 'stopped'; since: number };

/** Heartbeats come every 5 seconds. */
const quietAfter = 12_000;
const stoppedAfter = 30_000;

/** What to say about a stream whose last sign was at `heardAt`. */
export function livenessOf(heardAt: number | null, startedAt: number, time: number): Liveness {
  const silence = time - (heardAt ?? startedAt);
  if (silence >= stoppedAfter) return { state: 'stopped', since: heardAt ?? startedAt };
  if (silence >= quietAfter || heardAt === null) return { state: 'reconnecting' };
  return { state: 'live' };
}

const firstDelay = 1000;
const longestDelay = 30_000;

/** Milliseconds before the next attempt: 1 to 30 s, spread so that all pages do not return in the same moment. */
export function delayBefore(attempt: number, random: () => number = jitter): number {
  if (attempt === 0) return 50;
  return Math.min(longestDelay, firstDelay * 2 ** Math.min(attempt - 1, 10)) * (0.5 + random() / 2);
}

function jitter(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / 2 ** 32;
}
