import { readFileSync } from 'node:fs';
import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';

export interface InputFile {
  /** As the user calls it. */
  name: string;
  text: string;
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The file a flag names; `-` is standard input. */
export async function readInputFile({ args, system }: Context, flag: string): Promise<InputFile> {
  const name = args.required(flag);
  if (name === '-') return { name: 'standard input', text: await readAll(system.stdin) };
  try {
    return { name, text: readFileSync(name, 'utf8') };
  } catch (error) {
    const why =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'is not there'
        : 'cannot be read';
    throw new CliError('usage', `--${flag}: ${name} ${why}.`, {
      lines: why === 'is not there' || !(error instanceof Error) ? [] : [error.message],
      cause: error,
    });
  }
}
