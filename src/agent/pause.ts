import type { Clock } from '../basics/clock.ts';

/** Waits; sooner when the signal comes. Never throws. */
export const pause = (clock: Clock, seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(seconds * 1000, end);
    signal?.addEventListener('abort', end, { once: true });
  });

/** Doubles with every failure, up to the ceiling. `chance` (0…1) spreads many agents over a quarter of it. */
export const backOff = (failures: number, first: number, ceiling: number, chance = 0): number =>
  Math.min(ceiling, first * 2 ** Math.min(failures, 30)) * (1 + chance / 4);
