import { findJsonError } from '../../basics/json/error.ts';
import { positionAt } from '../../basics/text-position.ts';
import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { type InputFile, readInputFile } from './input-file.ts';

/** Reads the file of `--scope`. Invalid JSON is reported with its position, and nothing is sent. */
export async function readScopeFile(context: Context): Promise<InputFile> {
  const { name, text: content } = await readInputFile(context, 'scope');
  // Some editors write a byte order mark, which JSON does not allow.
  const text = content.replace(/^\uFEFF/, '');
  const error = findJsonError(text);
  if (!error) return { name, text };
  const { line, column } = positionAt(text, error.offset);
  throw new CliError('usage', `${name}:${line}:${column}: invalid JSON: ${error.message}.`, {
    lines: [`${String(line).padStart(6)} | ${(text.split('\n')[line - 1] ?? '').slice(0, 100)}`],
  });
}
