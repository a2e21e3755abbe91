import { expect } from 'vitest';
import { type AlmUser, firstStack, type RunOptions, type Served } from '../alm.ts';

/** Completions for the words, each as `word<tab>description`. */
export const offeredTo =
  (user: () => AlmUser) =>
  async (words: readonly string[], options: RunOptions = {}): Promise<string[]> => {
    const { code, stdout, stderr } = await user().run(['__complete', ...words], options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout === '' ? [] : stdout.trimEnd().split('\n');
  };

export const wordsOf = (lines: readonly string[]): string[] => lines.map((line) => line.split('\t')[0] ?? '');

/** Creates a stack with the nickname shop. Returns its id. */
export async function makeShop({ root, server }: Served): Promise<string> {
  const created = await root.json(['template', 'apply', firstStack, '--nickname', 'shop']);
  const stackId = String(created.stack_id);
  await server.waitFor(stackId, 'CREATE_COMPLETE');
  return stackId;
}
