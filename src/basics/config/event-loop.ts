/** What happens when the event loop is late. */
export interface EventLoopConfig {
  /** Milliseconds; 0: no limit. */
  maxLag: number;
  /** 0: no watchdog. */
  watchdogSeconds: number;
}

export const eventLoopSettings = {
  ALM_MAX_LAG: [
    '1000',
    'delay of the event loop, in milliseconds, above which requests get 503; 0: no limit',
  ],
  ALM_WATCHDOG_SECONDS: [
    '2',
    'processor time that freezes the event loop, after which the server logs why and ends; 0: never',
  ],
} as const;

export const readEventLoop = (
  number: (name: keyof typeof eventLoopSettings, min: number, max: number) => number,
): EventLoopConfig => ({
  maxLag: number('ALM_MAX_LAG', 0, 60_000),
  watchdogSeconds: number('ALM_WATCHDOG_SECONDS', 0, 3600),
});
