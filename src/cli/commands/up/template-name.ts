import { existsSync } from 'node:fs';
import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { type InputFile, readInputFile } from '../../files/input-file.ts';
import { isStackId } from '../../names/find-stacks.ts';
import { fetchPreview } from '../template/show-preview.ts';

/** Read if no file is named, the first that exists. */
const usualFiles = ['stack.yaml', 'stack.yml', 'stack.json'];

export async function readTemplate(context: Context): Promise<InputFile> {
  const { args } = context;
  const file = args.text('file') ?? usualFiles.find((name) => existsSync(name));
  if (file === undefined)
    throw usageError(
      `This directory has no ${usualFiles.join(', ')}.`,
      'Name a file: alm up <file>',
      'Or write one: alm init',
    );
  return readInputFile({ ...context, args: args.with({ file }) }, 'file');
}

const textIn = (members: unknown, name: string): string => {
  const value = (members as Readonly<Record<string, unknown>> | null)?.[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** The name of the stack: `--name`, or the one in the template. */
export async function nameOf(context: Context, file: InputFile): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(file.text, { logLevel: 'error' });
  // The service says what is wrong with it, and where.
  if (document.errors.length > 0) await fetchPreview(context, file);
  const members: unknown = document.toJS();
  const name = context.args.text('name') || textIn(members, 'name') || textIn(members, 'nickname');
  if (name === '')
    throw usageError(
      `${file.name} does not name its stack.`,
      'Add a member to the template, such as name: shop',
      'Or name it here: --name shop',
    );
  if (isStackId(name)) throw usageError(`"${name}" cannot be a name: ids of stacks begin with mo-.`);
  return name;
}
