import { findJsonTrouble } from '../../../languages/json-trouble.ts';
import { CliError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { type InputFile, readInputFile } from '../../files/input-file.ts';

/** The file a flag names, once it is known to be JSON: what is not is told with its place, and nothing is sent. */
export async function readJsonFile(context: Context, flag: string): Promise<InputFile> {
  const { name, text: written } = await readInputFile(context, flag);
  // Some editors begin a file with a mark that no JSON parser takes.
  const text = written.replace(/^\uFEFF/, '');
  const trouble = findJsonTrouble(text);
  if (!trouble) return { name, text };
  const before = text.slice(0, trouble.offset).split('\n');
  const [line, column] = [before.length, (before.at(-1) ?? '').length + 1];
  throw new CliError('usage', `${name}:${line}:${column}: this is not JSON: ${trouble.sentence}.`, {
    lines: [`${String(line).padStart(6)} | ${(text.split('\n')[line - 1] ?? '').slice(0, 100)}`],
  });
}
