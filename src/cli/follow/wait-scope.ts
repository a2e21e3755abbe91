import type { System } from '../system.ts';

/** A stay that the user, or the time they gave it, ends from outside. */
export interface Stay {
  /** Its reason is `interrupted` or `timeout`. */
  readonly signal: AbortSignal;
  /** Gives Ctrl-C and the clock back. */
  end(): void;
}

/** Timers cannot be set for longer: 24 days. */
const longestMs = 2 ** 31 - 1;

/** Until Ctrl-C or for so many seconds; 0: as long as it takes. A second Ctrl-C finds nobody listening: it ends at once. */
export function openWaitScope(system: System, seconds: number): Stay {
  const stop = new AbortController();
  const unlisten = system.onInterrupt(() => {
    unlisten();
    stop.abort('interrupted');
  });
  const cancel =
    seconds > 0
      ? system.clock.after(Math.min(seconds * 1000, longestMs), () => stop.abort('timeout'))
      : () => {};
  return {
    signal: stop.signal,
    end: () => {
      unlisten();
      cancel();
      // What is still being asked for, nobody waits for any more.
      stop.abort('ended');
    },
  };
}
