import type { Args } from './args/args.ts';
import type { Format } from './args/flag.ts';
import { wrongUsage } from './cli-error.ts';
import type { BareContext } from './command.ts';
import { Output } from './view/output.ts';

/** What is asked for, before anything is known of where. */
export type Request = Omit<BareContext, 'out'>;

/** `-` is what it is for files that are read. */
function outFile(args: Args): string | undefined {
  const file = args.text('out');
  if (file === '') throw wrongUsage('--out needs the name of a file.');
  return file === '-' ? undefined : file;
}

export const outputFor = ({ system, command, args }: Request, indent: number): Output =>
  new Output(system, {
    // The rules have made sure that it is one.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    format: (args.text('fmt') as Format | undefined) ?? command.formats[0] ?? 'raw',
    indent,
    file: outFile(args),
  });
