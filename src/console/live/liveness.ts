/** How current the page is. */
export type Liveness =
  | { state: 'live' }
  /** The page follows nothing: the roles of the user do not allow it. */
  | { state: 'off' }
  | { state: 'reconnecting' }
  /** Nothing on the page may be trusted any more. */
  | { state: 'stopped'; since: number };

export const heartbeatEvery = 5000;

/** Two heartbeats are missing. */
export const quietAfter = 12_000;
const stoppedAfter = 30_000;

/** What to say about a stream whose last sign was at `heardAt`. */
export function livenessOf(heardAt: number | null, startedAt: number, time: number): Liveness {
  const silence = time - (heardAt ?? startedAt);
  if (silence >= stoppedAfter) return { state: 'stopped', since: heardAt ?? startedAt };
  if (silence >= quietAfter || heardAt === null) return { state: 'reconnecting' };
  return { state: 'live' };
}

const stoppedFirst = (a: Liveness, b: Liveness): Liveness =>
  a.state === 'stopped' && b.state === 'stopped' && a.since < b.since ? a : b;

/** What to say about a page that uses several streams: it is as current as the worst of them. */
export function worstOf(streams: readonly Liveness[]): Liveness {
  const stopped = streams.filter(({ state }) => state === 'stopped');
  if (stopped.length > 0) return stopped.reduce(stoppedFirst);
  return streams.find(({ state }) => state === 'reconnecting') ?? streams[0] ?? { state: 'off' };
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
