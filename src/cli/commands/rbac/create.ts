import type { createRole as createRoute } from '../../../contract/v3/roles.ts';
import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { createUser } from '../user/create.ts';
import { saveRole } from './save-role.ts';

const createRole: Run = (context) =>
  saveRole(context, (body) =>
    context.api.call<typeof createRoute>('POST', '/v3/role', { body, encoding: 'form' }),
  );

const creators = {
  role: { create: createRole, invalidFlags: ['password', 'email'], otherType: 'user' },
  user: { create: createUser, invalidFlags: ['scope', 'allow-all'], otherType: 'role' },
};

export const createRoleOrUser: Run = async (context) => {
  const { args } = context;
  const { create, invalidFlags, otherType } = creators[args.text('type') === 'user' ? 'user' : 'role'];
  const invalid = invalidFlags.find((flag) => args.has(flag));
  if (invalid)
    throw usageError(
      `--${invalid} is valid only with --type ${otherType}.`,
      `Remove it, or add: --type ${otherType}`,
    );
  return create(context);
};
