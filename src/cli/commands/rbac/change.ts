import type { BodyOf } from '../../../contract/route.ts';
import type {
  createRole as creating,
  deleteRole as deleting,
  updateRole as updating,
} from '../../../contract/v3/roles.ts';
import type {
  attachRole as attaching,
  detachRole as detaching,
  reattachRole as reattaching,
} from '../../../contract/v3/user-roles.ts';
import { usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import type { InputFile } from '../../files/input-file.ts';
import { withFilePositions } from '../../files/template-file.ts';
import type { Reply } from '../../net/api.ts';
import { createUser } from '../people/users.ts';
import { sayReply } from '../said-reply.ts';
import { readJsonFile } from './json-file.ts';

const scopeOfAll = JSON.stringify({
  Version: '2017-05-05',
  Statement: [{ Effect: 'Allow', Action: ['*'], Resource: ['*'] }],
});

type NewRole = BodyOf<typeof creating>;
type Saved = Reply<{ status: string; role_id: string; warnings?: string[] }>;

/** Calls with the role that was asked for; what the service finds wrong with a scope is shown in its file. */
async function saveRole(context: Context, call: (role: NewRole) => Promise<Saved>): Promise<void> {
  const { args, out } = context;
  const name = args.required('name');
  const file = args.is('allow-all') ? null : await scopeFile(context);
  const reply = file
    ? await withFilePositions(file, () => call({ name, scope: file.text }), 'scope')
    : await call({ name, scope: scopeOfAll });
  await sayReply(context, reply);
  for (const warning of reply.body.warnings ?? []) out.warn(warning);
}

function scopeFile(context: Context): Promise<InputFile> {
  if (context.args.text('scope')) return readJsonFile(context, 'scope');
  throw usageError(
    'A role needs a scope: --scope <file>, or --allow-all.',
    'To begin with: alm rbac sample --out scope.json',
  );
}

const createRole: Run = (context) =>
  saveRole(context, (body) => context.api.call<typeof creating>('POST', '/v3/role', { body }));

const creators = {
  role: { create: createRole, foreign: ['password', 'email'], other: 'user' },
  user: { create: createUser, foreign: ['scope', 'allow-all'], other: 'role' },
};

export const createRoleOrUser: Run = async (context) => {
  const { args } = context;
  const { create, foreign, other } = creators[args.text('type') === 'user' ? 'user' : 'role'];
  const wrong = foreign.find((flag) => args.has(flag));
  if (wrong)
    throw usageError(`--${wrong} goes with --type ${other} only.`, `Leave it out, or add: --type ${other}`);
  return create(context);
};

export const updateRole: Run = (context) => {
  const params = { role_id: context.args.required('role-id') };
  return saveRole(context, (body) =>
    context.api.call<typeof updating>('PUT', '/v3/role/{role_id}', { params, body }),
  );
};

/** What every attachment names. */
const named = ({ args }: Context) => ({
  username: args.required('user'),
  role_id: args.required('role-id'),
});

export const attachRole: Run = async (context) => {
  const body = named(context);
  await sayReply(context, await context.api.call<typeof attaching>('POST', '/v3/user/role', { body }));
};

export const reattachRole: Run = async (context) => {
  const { username, role_id } = named(context);
  const input = { params: { role_id }, body: { username } };
  await sayReply(
    context,
    await context.api.call<typeof reattaching>('PUT', '/v3/user/role/{role_id}', input),
  );
};

export const detachRole: Run = async (context) => {
  const { username, role_id } = named(context);
  const input = { params: { role_id }, query: { username } };
  await sayReply(
    context,
    await context.api.call<typeof detaching>('DELETE', '/v3/user/role/{role_id}', input),
  );
};

export const deleteRole: Run = async (context) => {
  const params = { role_id: context.args.required('role-id') };
  await sayReply(
    context,
    await context.api.call<typeof deleting>('DELETE', '/v3/role/{role_id}', { params }),
  );
};
