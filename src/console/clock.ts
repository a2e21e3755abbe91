import { useSyncExternalStore } from 'react';

/** The only place of the console that knows the time and starts timers. */
export const now = (): number => Date.now();

/** Runs `act` once after a delay. Returns a function that cancels it. */
export function after(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
}

/** Resolves when what was drawn is on the screen; in a hidden tab, which has no frames, soon. */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => after(0, resolve));
    after(500, resolve);
  });

const second = 1000;
const listeners = new Set<() => void>();
let tick = now();
let timer: ReturnType<typeof setInterval> | undefined;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tick = now();
    for (const each of listeners) each();
  }, second);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, with one render per second. All users share one timer. */
export const useNow = (): number => useSyncExternalStore(listen, () => tick);

/** Words that depend on the time; renders only when they change. */
export const useTimeWords = (words: (time: number) => string): string =>
  useSyncExternalStore(listen, () => words(tick));
