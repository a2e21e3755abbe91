import { useSyncExternalStore } from 'react';
import { now, useNow } from '../clock.ts';
import { type Liveness, livenessOf, worstOf } from './liveness.ts';

interface Signs {
  /** When the stream was heard last; null if it is broken. */
  heardAt: number | null;
  /** From when its silence counts as long as it is broken. */
  startedAt: number;
}

/** The streams that this page uses, by name. */
const streams = new Map<string, Signs>();
const listeners = new Set<() => void>();
let changes = 0;

function tell(): void {
  changes += 1;
  for (const listener of listeners) listener();
}

/** The page uses a stream from now on: it is live only if this one is. */
export function expectStream(name: string): void {
  streams.set(name, { heardAt: null, startedAt: now() });
  tell();
}

/** The page does not use the stream any more. */
export function forgetStream(name: string): void {
  if (streams.delete(name)) tell();
}

/** A stream delivered something. */
export function heard(name: string): void {
  const before = streams.get(name)?.heardAt ?? null;
  streams.set(name, { heardAt: now(), startedAt: now() });
  // Heartbeats do not render anything: the page compares the time once a second.
  if (before === null) tell();
}

/** A stream is broken. */
export function lost(name: string): void {
  const signs = streams.get(name);
  if (!signs) return;
  streams.set(name, { heardAt: null, startedAt: signs.heardAt ?? signs.startedAt });
  tell();
}

export const livenessAt = (time: number): Liveness =>
  worstOf([...streams.values()].map(({ heardAt, startedAt }) => livenessOf(heardAt, startedAt, time)));

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useLiveness(): Liveness {
  useSyncExternalStore(listen, () => changes);
  return livenessAt(useNow());
}

/** How current one stream of the page is; `off` if the page does not use it. */
export function useLivenessOf(name: string): Liveness {
  useSyncExternalStore(listen, () => changes);
  const time = useNow();
  const signs = streams.get(name);
  return signs ? livenessOf(signs.heardAt, signs.startedAt, time) : { state: 'off' };
}
