import { describe, expect, it, vi } from 'vitest';
import { keyOf, keys, shortcutFor } from '../../../src/console/address/keys.ts';

vi.hoisted(() => vi.stubGlobal('location', new URL('http://almanac.test/console/')));

const pressed = (key: string, modifiers: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers }) as KeyboardEvent;

describe('shortcuts', () => {
  it('each have keys of their own, and no one begins with another', () => {
    const all = Object.values(keys).map((each) => each.keys as string);
    expect(new Set(all).size).toBe(all.length);
    for (const one of all) expect(all.filter((other) => other.startsWith(`${one} `))).toEqual([]);
  });

  it('never act while the user types, except Ctrl K', () => {
    expect(keyOf(pressed('n'), true)).toBeNull();
    expect(keyOf(pressed('?'), true)).toBeNull();
    expect(keyOf(pressed('k', { ctrlKey: true }), true)).toBe('Ctrl K');
  });

  it('leave the shortcuts of the browser alone', () => {
    expect(keyOf(pressed('n', { ctrlKey: true }), false)).toBeNull();
    expect(keyOf(pressed('e', { altKey: true }), false)).toBeNull();
    expect(keyOf(pressed('Enter'), false)).toBeNull();
  });

  it('may be two keys: the first waits for the second, and a wrong second counts alone', () => {
    expect(shortcutFor('', 'g')).toBe('prefix');
    expect(shortcutFor('g', 's')).toBe('goStacks');
    expect(shortcutFor('g', 'n')).toBe('create');
    expect(shortcutFor('', 'x')).toBeNull();
  });
});
