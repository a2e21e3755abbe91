import type { Context } from '../command.ts';
import { type GivenFile, readGivenFile } from '../given-file.ts';
import { Trouble } from '../trouble.ts';
import { findJsonMistake } from './json-mistake.ts';

/** The file a flag names, once it is known to be JSON: what is not is told with its place, and nothing is sent. */
export async function readJsonFile(context: Context, flag: string): Promise<GivenFile> {
  const { name, text: written } = await readGivenFile(context, flag);
  // Some editors begin a file with a mark that no JSON parser takes.
  const text = written.replace(/^\uFEFF/, '');
  const mistake = findJsonMistake(text);
  if (!mistake) return { name, text };
  const { line, column, wanted } = mistake;
  throw new Trouble('usage', `${name} is not JSON: line ${line}, column ${column}: ${wanted} was expected.`, {
    lines: [`${line} | ${(text.split('\n')[line - 1] ?? '').slice(0, 100)}`],
  });
}
