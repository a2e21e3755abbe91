import { findJsonError } from '../../../basics/json-error.ts';
import { positionAt } from '../../../basics/text-position.ts';
import { CliError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { type InputFile, readInputFile } from '../../files/input-file.ts';

/** Reads the file a flag names. Text that is not JSON is reported with its position, and nothing is sent. */
export async function readJsonFile(context: Context, flag: string): Promise<InputFile> {
  const { name, text: written } = await readInputFile(context, flag);
  // Some editors write a byte order mark, which JSON parsers reject.
  const text = written.replace(/^\uFEFF/, '');
  const error = findJsonError(text);
  if (!error) return { name, text };
  const { line, column } = positionAt(text, error.offset);
  throw new CliError('usage', `${name}:${line}:${column}: invalid JSON: ${error.message}.`, {
    lines: [`${String(line).padStart(6)} | ${(text.split('\n')[line - 1] ?? '').slice(0, 100)}`],
  });
}
