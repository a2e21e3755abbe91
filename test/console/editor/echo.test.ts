import { describe, expect, it } from 'vitest';
import { Echo } from '../../../src/console/editor/echo.ts';

describe('a text that the page gives to the editor', () => {
  it('is taken over if it comes from elsewhere', () => {
    expect(new Echo().isNews('converted', 'typed')).toBe(true);
  });

  it('does not replace what was typed since the editor reported it', () => {
    const echo = new Echo();
    for (const text of ['a', 'ab', 'abc']) echo.report(text);
    expect(echo.isNews('a', 'abc')).toBe(false);
    expect(echo.isNews('ab', 'abc')).toBe(false);
    expect(echo.isNews('abc', 'abc')).toBe(false);
  });

  it('is taken over even if it was typed earlier, once the page has caught up', () => {
    const echo = new Echo();
    for (const text of ['a', 'ab']) echo.report(text);
    echo.isNews('ab', 'ab');
    expect(echo.isNews('a', 'ab')).toBe(true);
  });
});
