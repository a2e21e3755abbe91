import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Draft, keepDraft, lostSecrets, readDraft } from '../../../src/console/editor/draft.ts';
import { withoutSecrets } from '../../../src/console/editor/without-secrets.ts';

const place = { owner: '1/root', of: 'new' };
const draft: Draft = { text: '', format: 'yaml', base: null, key: 'k', nickname: '', omitted: 0 };
const safeOf = ({ text, format }: Draft) =>
  withoutSecrets(text, format, null) ?? { text: 'unreadable', omitted: 0 };

/** The draft after a reload of the page. */
function reloaded(before: Draft): Draft {
  keepDraft(place, before, safeOf(before));
  const after = readDraft(place);
  if (!after) throw new Error('The draft was not kept');
  return after;
}

describe('a draft whose secrets were not kept', () => {
  beforeEach(() => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  const typed = { ...draft, text: 'password: hidden\nlabel: one\n' };

  it('still says so after more is typed and the page is reloaded again', () => {
    const first = reloaded(typed);
    expect(lostSecrets(first, safeOf(first))).toBe(1);
    const second = reloaded({ ...first, text: first.text.replace('one', 'two') });
    expect(second.text).toBe('password: ""\nlabel: two\n');
    expect(lostSecrets(second, safeOf(second))).toBe(1);
  });

  it('says nothing once they are entered again', () => {
    const first = reloaded(typed);
    const filled = { ...first, text: first.text.replace('""', 'hidden') };
    expect(lostSecrets(filled, safeOf(filled))).toBe(0);
    expect(lostSecrets(reloaded(filled), safeOf(reloaded(filled)))).toBe(1);
  });
});
