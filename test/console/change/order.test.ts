import { describe, expect, it } from 'vitest';
import { commandOf, isStill, keyOf } from '../../../src/console/change/order.ts';
import type { Draft } from '../../../src/console/editor/draft.ts';

const draft: Draft = { text: 'a: 1', format: 'yaml', base: 'v1', key: 'k', nickname: '', omitted: 0 };

describe('the command that does the same', () => {
  it('names a new stack as the form does, quoted for the shell', () => {
    expect(commandOf({ stackId: null, draft: { ...draft, nickname: "Ann's shop" } })).toBe(
      `alm stack create --alm-template stack.yaml --nickname 'Ann'\\''s shop' --wait`,
    );
    expect(commandOf({ stackId: null, draft })).toBe('alm stack create --alm-template stack.yaml --wait');
  });

  it('updates a stack by its id', () => {
    expect(commandOf({ stackId: 'mo-1', draft: { ...draft, nickname: 'x' } })).toBe(
      'alm stack update --id mo-1 --alm-template stack.yaml --wait',
    );
  });
});

describe('what was sent', () => {
  it('is no longer the draft after any change that the service would see', () => {
    expect(isStill(draft, { ...draft, omitted: 1 })).toBe(true);
    for (const change of [{ text: 'a: 2' }, { nickname: 'x' }, { base: 'v2' }, { key: 'l' }])
      expect(isStill(draft, { ...draft, ...change })).toBe(false);
  });

  it('has the same key when it is sent again, and another one with another text or choice', () => {
    const order = { stackId: 'mo-1', draft };
    expect(keyOf({ ...order })).toBe(keyOf(order));
    expect(keyOf({ ...order, word: { data: { 'data-1': 'keep' } } })).not.toBe(keyOf(order));
    expect(keyOf({ ...order, draft: { ...draft, text: 'a: 2' } })).not.toBe(keyOf(order));
  });
});
