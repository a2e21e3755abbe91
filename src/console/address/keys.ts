import { useEffect, useRef } from 'react';
import { after } from '../clock.ts';
import { preferences } from '../preferences.ts';

/** Every shortcut of the console. `?` shows this table. */
export const keys = {
  palette: { keys: 'Ctrl K', what: 'Search stacks, pages and actions' },
  help: { keys: '?', what: 'Show all shortcuts' },
  filter: { keys: '/', what: 'Go to the filter' },
  down: { keys: 'j', what: 'Next row' },
  up: { keys: 'k', what: 'Previous row' },
  // The row that has the focus is a link: the browser opens it.
  open: { keys: 'Enter', what: 'Open the row' },
  create: { keys: 'n', what: 'New stack' },
  edit: { keys: 'e', what: 'Edit the template of the stack' },
  goStacks: { keys: 'g s', what: 'Go to stacks' },
  goData: { keys: 'g d', what: 'Go to data' },
  goRoles: { keys: 'g r', what: 'Go to roles' },
  goAudit: { keys: 'g a', what: 'Go to the audit log' },
  goUsers: { keys: 'g u', what: 'Go to users' },
} as const;

export type Shortcut = keyof typeof keys;

export type Handlers = Partial<Record<Shortcut, () => void>>;

/** The key of an event as in the table; null while the user types in a field. */
export function keyOf(event: KeyboardEvent, isTyping: boolean): string | null {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') return 'Ctrl K';
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return null;
  return event.key.toLowerCase();
}

/** The shortcut for a key after an earlier one; 'prefix' if the key only begins one. */
export function shortcutFor(earlier: string, key: string): Shortcut | 'prefix' | null {
  const names = Object.keys(keys) as Shortcut[];
  const typed = earlier === '' ? key : `${earlier} ${key}`;
  const found = names.find((name) => keys[name].keys === typed);
  if (found) return found;
  if (names.some((name) => keys[name].keys.startsWith(`${typed} `))) return 'prefix';
  return earlier === '' ? null : shortcutFor('', key);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.shadowRoot !== null);

const sequenceTime = 1500;
const layers: { current: Handlers }[] = [];
let earlier = '';
let forget = (): void => {};

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
  const key = keyOf(event, isField(event.target));
  if (key === null || (key !== 'Ctrl K' && !preferences().letterKeys)) return;
  const shortcut = shortcutFor(earlier, key);
  forget();
  earlier = shortcut === 'prefix' ? key : '';
  if (shortcut === 'prefix')
    forget = after(sequenceTime, () => {
      earlier = '';
    });
  if (shortcut === null || shortcut === 'prefix') return;
  const handler = layers.findLast(({ current }) => current[shortcut])?.current[shortcut];
  if (!handler) return;
  event.preventDefault();
  handler();
}

/** Handles shortcuts while the component is mounted. The latest component wins. */
export function useKeys(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    if (layers.push(latest) === 1) addEventListener('keydown', onKey);
    return () => {
      layers.splice(layers.indexOf(latest), 1);
      if (layers.length === 0) removeEventListener('keydown', onKey);
    };
  }, []);
}
