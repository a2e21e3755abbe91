import type { DocumentBody } from '../../contract/route.ts';
import { CliError, usageError } from '../cli-error.ts';
import { ApiError } from '../net/api-error.ts';
import type { InputFile } from './input-file.ts';

/** A template as a request body: JSON if it starts with a brace, YAML otherwise. */
export const asDocument = ({ name, text }: InputFile): DocumentBody => {
  if (text.trim() === '') throw usageError(`${name} is empty.`, 'For a sample template: alm template sample');
  return { text, format: /^\s*\{/.test(text) ? 'json' : 'yaml' };
};

/**
 * Adds the position in the file to the problems the service finds in it. `prefix` is the path of the document in the
 * request.
 */
export async function withFilePositions<T>(file: InputFile, call: () => Promise<T>, prefix = ''): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const problems = error instanceof ApiError ? (error.body?.problems ?? []) : [];
    if (!(error instanceof ApiError) || problems.length === 0) throw error;
    const { locateProblems } = await import('./locate-problems.ts');
    const inFile = problems.map((problem) =>
      Object.assign({}, problem, { path: withoutPrefix(problem.path, prefix) }),
    );
    const requestId = error.body?.request_id ? [`request id: ${error.body.request_id}`] : [];
    throw new CliError(error.exitReason, error.message, {
      lines: [...locateProblems(file, inFile), ...requestId],
      hints: error.hints,
      cause: error,
    });
  }
}

const withoutPrefix = (path: string, prefix: string): string =>
  prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`)) ? path.slice(prefix.length + 1) : path;
