import type { System } from '../system.ts';

/** Lifetime of a wait, which Ctrl-C or a timeout ends early. */
export interface WaitScope {
  /** Its reason is `interrupted` or `timeout`. */
  readonly signal: AbortSignal;
  /** Removes the Ctrl-C handler and the timer. */
  close(): void;
}

/** Longest delay of a timer: 24 days. */
const maxTimerMs = 2 ** 31 - 1;

/** Opens a scope that ends at Ctrl-C or after the timeout; 0 means no timeout. A second Ctrl-C ends the program. */
export function openWaitScope(system: System, timeoutSeconds: number): WaitScope {
  const stop = new AbortController();
  const unlisten = system.onInterrupt(() => {
    unlisten();
    stop.abort('interrupted');
  });
  const cancel =
    timeoutSeconds > 0
      ? system.clock.after(Math.min(timeoutSeconds * 1000, maxTimerMs), () => stop.abort('timeout'))
      : () => {};
  return {
    signal: stop.signal,
    close: () => {
      unlisten();
      cancel();
      // Pending requests are no longer needed.
      stop.abort('ended');
    },
  };
}
