import { useSyncExternalStore } from 'react';
import { now, useNow } from '../clock.ts';
import { type Liveness, livenessOf } from './liveness.ts';

/** When the streams of this page were heard last. */
let heardAt: number | null = null;
let startedAt = now();
const listeners = new Set<() => void>();

function change(time: number | null): void {
  const wasSilent = heardAt === null;
  heardAt = time;
  // Heartbeats do not render anything: the page compares the time once a second.
  if (wasSilent || time === null) for (const listener of listeners) listener();
}

/** A stream delivered something. */
export const heard = (): void => change(now());

/** A stream is broken. */
export function lost(): void {
  startedAt = heardAt ?? startedAt;
  change(null);
}

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useLiveness(): Liveness {
  const last = useSyncExternalStore(listen, () => heardAt);
  const time = useNow();
  return livenessOf(last === null ? null : heardAt, startedAt, time);
}
