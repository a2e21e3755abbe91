import { readFileSync } from 'node:fs';
import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import type { System } from '../system.ts';

export interface InputFile {
  /** Name for messages. */
  name: string;
  text: string;
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads standard input to its end. */
export const readInput = async ({ stdin }: Pick<System, 'stdin'>): Promise<InputFile> => ({
  name: 'standard input',
  text: await readAll(stdin),
});

/** Reads the file a flag names; `-` is standard input. */
export async function readInputFile({ args, system }: Context, flag: string): Promise<InputFile> {
  const name = args.required(flag);
  if (name === '-') return readInput(system);
  try {
    return { name, text: readFileSync(name, 'utf8') };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new CliError('usage', `--${flag}: file ${name} not found.`, { cause: error });
    throw new CliError('usage', `--${flag}: cannot read ${name}.`, {
      lines: error instanceof Error ? [error.message] : [],
      cause: error,
    });
  }
}
