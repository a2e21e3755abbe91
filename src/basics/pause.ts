import type { Clock } from './clock.ts';

/** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
export const pause = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener('abort', end, { once: true });
  });
