import type { Args } from './args/args.ts';
import type { Format } from './args/flag.ts';
import { usageError } from './cli-error.ts';
import type { Invocation } from './command.ts';
import { Output } from './view/output.ts';

/** `-` means standard output, as it means standard input for files that are read. */
function outFile(args: Args): string | undefined {
  const file = args.text('out');
  if (file === '') throw usageError('--out requires a file name.');
  return file === '-' ? undefined : file;
}

/** A query selects from a document: where the default is a table, it is JSON. */
function formatOf({ command, args }: Invocation): Format {
  // `checkRules` has validated it.
  const given = args.text('fmt') as Format | undefined;
  const [first = 'raw', ...others] = command.formats;
  if (given ?? args.text('query') === undefined) return given ?? first;
  const found = [first, ...others].find((format) => format !== 'table' && format !== 'raw');
  if (!found || !others.includes('raw')) throw usageError(`"alm ${command.path}" does not support --query.`);
  return found;
}

/** Creates the output of a command from `--fmt`, `--query`, `--quiet` and `--out`. */
export const makeOutput = (invocation: Invocation, indent: number): Output => {
  const { system, args } = invocation;
  const format = formatOf(invocation);
  const query = args.text('query');
  if (query !== undefined && format === 'table') throw usageError('--query cannot be used with --fmt table.');
  const plainTexts = !args.has('fmt') || format === 'raw';
  const quiet = args.is('quiet');
  const wide = args.is('wide');
  return new Output(system, { format, indent, file: outFile(args), query, plainTexts, quiet, wide });
};
