import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Pattern } from './list-patterns.ts';

/** One line for each pattern that `recheck` found safe: the beginning of its SHA-256. */
const file = fileURLToPath(new URL('proven.txt', import.meta.url));

export const markOf = ({ text }: Pattern): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

export const readProven = (): Set<string> => new Set(readFileSync(file, 'utf8').trim().split('\n'));

/** Checks the patterns that are not in the file, which takes seconds for some, and writes the file. */
export async function writeProven(patterns: readonly Pattern[]): Promise<void> {
  const { checkSync } = await import('recheck');
  const proven = readProven();
  const isSafe = (pattern: Pattern): boolean => {
    if (proven.has(markOf(pattern)) || pattern.source === null) return proven.has(markOf(pattern));
    return checkSync(pattern.source.pattern, pattern.source.flags, { timeout: 20_000 }).status === 'safe';
  };
  writeFileSync(file, `${patterns.filter(isSafe).map(markOf).toSorted().join('\n')}\n`);
}
