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

/** Creates the output of a command from `--fmt` and `--out`. */
export const makeOutput = ({ system, command, args }: Invocation, indent: number): Output =>
  new Output(system, {
    // `checkRules` has validated it.
    format: (args.text('fmt') as Format | undefined) ?? command.formats[0] ?? 'raw',
    indent,
    file: outFile(args),
  });
