import { useSyncExternalStore } from 'react';
import { consolePath } from './api/base.ts';
import { after } from './clock.ts';

export type Theme = 'system' | 'dark' | 'light';

export interface Preferences {
  theme: Theme;
  /** Whether single letters act as shortcuts (WCAG 2.1.4). */
  letterKeys: boolean;
}

const defaults: Preferences = { theme: 'system', letterKeys: true };
const key = 'almanac preferences';
const listeners = new Set<() => void>();

/** What the page looks like. The server writes the theme of the cookie into it, see console-files.ts. */
const shownTheme = (): Theme => (document.documentElement.dataset['theme'] as Theme | undefined) ?? 'system';

function read(): Preferences {
  const shown = { ...defaults, theme: shownTheme() };
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return { ...shown, ...(stored as Partial<Preferences>) };
  } catch {
    return shown; // storage is off, or edited by hand
  }
}

/** Null: not read yet. */
let current: Preferences | null = null;

export const preferences = (): Preferences => {
  current ??= read();
  return current;
};

function show({ theme }: Preferences): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  // Not by cookieStore: it exists only over https.
  document.cookie = `alm-theme=${theme}; Path=${consolePath}; SameSite=Lax; Max-Age=31536000`;
}

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...preferences(), ...changes };
  show(current);
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // Storage is off: the theme is in the cookie, the rest lasts until the page closes.
  }
  for (const listener of listeners) listener();
}

/** How long storage waits, in milliseconds: a browser that opens a page is slow to answer, and the page would stand still. */
const patience = 1000;

/** For a browser that has lost the cookie. */
export const startPreferences = (): void => {
  after(patience, () => {
    if (preferences().theme !== shownTheme()) show(preferences());
  });
};

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(listen, preferences);
