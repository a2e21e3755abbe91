import type { createPersonalToken as createRoute } from '../../../contract/v3/sign-in/personal-tokens.ts';
import { usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { readScopeFile } from '../../files/scope-file.ts';
import { askSecret } from '../../prompt/prompt.ts';
import { printSecret } from '../client/print-secret.ts';
import { withCode } from '../with-code.ts';

/** What the token is limited to. */
async function readLimits(context: Context): Promise<{ roles: string[] } | { scope: string }> {
  const roles = context.args.list('role');
  const hasScope = context.args.has('scope');
  if (roles.length > 0 === hasScope)
    throw usageError(
      'Specify what the token may do: either --role or --scope.',
      'To see your roles: alm rbac mine',
    );
  return hasScope ? { scope: (await readScopeFile(context)).text } : { roles: [...roles] };
}

export const createToken: Run = async (context) => {
  const { api, args, system } = context;
  const limits = await readLimits(context);
  const current_password =
    args.text('current-password') ?? (await askSecret(system, 'Your password: ', '--current-password'));
  const body = {
    name: args.required('name'),
    expires_in_days: args.number('days') ?? 30,
    current_password,
    ...limits,
  };
  const created = await withCode(context, (code) =>
    api.call<typeof createRoute>('POST', '/v3/personal_token', { body: { ...body, ...code } }),
  );
  await printSecret(context, created);
};
