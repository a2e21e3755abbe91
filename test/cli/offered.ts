import { expect } from 'vitest';
import type { AlmUser, RunOptions } from './alm.ts';

/** What is offered to a user after the words, as `word<tab>meaning` each. */
export const offeredTo =
  (user: () => AlmUser) =>
  async (words: readonly string[], options: RunOptions = {}): Promise<string[]> => {
    const { code, stdout, stderr } = await user().run(['__complete', ...words], options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout === '' ? [] : stdout.trimEnd().split('\n');
  };

export const wordsOf = (lines: readonly string[]): string[] => lines.map((line) => line.split('\t')[0] ?? '');
