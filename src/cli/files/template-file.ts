import type { DocumentBody } from '../../contract/route.ts';
import { CliError, wrongUsage } from '../cli-error.ts';
import { Refused } from '../net/refused.ts';
import type { InputFile } from './input-file.ts';

/** A template as it is sent: JSON when it looks like it, else YAML. */
export const asDocument = ({ name, text }: InputFile): DocumentBody => {
  if (text.trim() === '')
    throw wrongUsage(`${name} is empty.`, 'A template to begin with: alm template sample');
  return { text, format: /^\s*\{/.test(text) ? 'json' : 'yaml' };
};

/**
 * What the service finds wrong with a document, pointed at in the file it came from. `below` is where the document
 * stands in the request.
 */
export async function pointingInto<T>(file: InputFile, call: () => Promise<T>, below = ''): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const problems = error instanceof Refused ? (error.body?.problems ?? []) : [];
    if (!(error instanceof Refused) || problems.length === 0) throw error;
    const { pointAt } = await import('./point-at.ts');
    const inFile = problems.map(({ path, message }) => ({ path: withoutPrefix(path, below), message }));
    const requestId = error.body?.request_id ? [`request id: ${error.body.request_id}`] : [];
    throw new CliError(error.ending, error.message, {
      lines: [...pointAt(file, inFile), ...requestId],
      hints: error.hints,
      cause: error,
    });
  }
}

const withoutPrefix = (path: string, below: string): string =>
  below !== '' && (path === below || path.startsWith(`${below}/`)) ? path.slice(below.length + 1) : path;
