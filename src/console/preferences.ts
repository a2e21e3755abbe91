import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'dark' | 'light';

export interface Preferences {
  theme: Theme;
  /** Whether single letters act as shortcuts (WCAG 2.1.4). */
  letterKeys: boolean;
}

const defaults: Preferences = { theme: 'system', letterKeys: true };
const key = 'almanac preferences';
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return { ...defaults, ...(stored as Partial<Preferences>) };
  } catch {
    return defaults; // storage is off, or edited by hand
  }
}

let current = read();

function show({ theme }: Preferences): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  show(current);
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // Storage is off: the choice lasts until the page closes.
  }
  for (const listener of listeners) listener();
}

export const preferences = (): Preferences => current;

export const startPreferences = (): void => show(current);

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(listen, preferences);
