import type { BodyOf } from '../../../contract/route.ts';
import type { createRole as createRoute } from '../../../contract/v3/roles.ts';
import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import type { InputFile } from '../../files/input-file.ts';
import { readScopeFile } from '../../files/scope-file.ts';
import { withFilePositions } from '../../files/template-file.ts';
import type { Reply } from '../../net/api.ts';
import { printReply } from '../print-reply.ts';

const allowAllScope = JSON.stringify({
  Version: '2017-05-05',
  Statement: [{ Effect: 'Allow', Action: ['*'], Resource: ['*'] }],
});

type RoleBody = BodyOf<typeof createRoute>;
type Saved = Reply<{ status: string; role_id: string; warnings?: string[] }>;

async function readScope(context: Context): Promise<InputFile> {
  if (context.args.text('scope')) return readScopeFile(context);
  throw usageError(
    '--scope <file> or --allow-all is required.',
    'To create a sample scope: alm rbac sample --out scope.json',
  );
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
