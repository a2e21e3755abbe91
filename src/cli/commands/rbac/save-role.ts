import { findJsonError } from '../../../basics/json-error.ts';
import { positionAt } from '../../../basics/text-position.ts';
import type { BodyOf } from '../../../contract/route.ts';
import type { createRole as createRoute } from '../../../contract/v3/roles.ts';
import { CliError, usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { type InputFile, readInputFile } from '../../files/input-file.ts';
import { withFilePositions } from '../../files/template-file.ts';
import type { Reply } from '../../net/api.ts';
import { printReply } from '../print-reply.ts';

const allowAllScope = JSON.stringify({
  Version: '2017-05-05',
  Statement: [{ Effect: 'Allow', Action: ['*'], Resource: ['*'] }],
});

type RoleBody = BodyOf<typeof createRoute>;
type Saved = Reply<{ status: string; role_id: string; warnings?: string[] }>;

/** Reads the scope file. Invalid JSON is reported with its position, and nothing is sent. */
async function readScope(context: Context): Promise<InputFile> {
  if (!context.args.text('scope'))
    throw usageError(
      '--scope <file> or --allow-all is required.',
      'To create a sample scope: alm rbac sample --out scope.json',
    );
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

/** Saves the role that the flags describe. Problems the service finds in a scope are shown in its file. */
export async function saveRole(context: Context, call: (role: RoleBody) => Promise<Saved>): Promise<void> {
  const { args, out } = context;
  const name = args.required('name');
  const file = args.is('allow-all') ? null : await readScope(context);
  const reply = file
    ? await withFilePositions(file, () => call({ name, scope: file.text }), 'scope')
    : await call({ name, scope: allowAllScope });
  await printReply(context, reply);
  for (const warning of reply.body.warnings ?? []) out.warn(warning);
}
