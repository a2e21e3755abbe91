import type { describePermissions, describeSession } from '../../../contract/v3/sign-in/session.ts';
import type { Context, Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

const describe = ({ api }: Context) => api.call<typeof describeSession>('GET', '/v3/session');

const permissions = ({ api, args }: Context) => {
  const stackId = args.text('stack');
  return api.call<typeof describePermissions>('GET', '/v3/session/permissions', {
    query: stackId === undefined ? {} : { stack_id: stackId },
  });
};

/** The session of a rejected token is empty instead of refused. A route that refuses it renews it, or explains the refusal. */
async function signedIn(context: Context) {
  const first = await describe(context);
  if (first.body.user) return first;
  await permissions(context);
  return describe(context);
}

async function showPermissions(context: Context): Promise<void> {
  const { text, body } = await permissions(context);
  await context.out.document(text, () => ({
    header: ['ACTION', 'ALLOWED', 'REASON'],
    rows: Object.entries(body.actions).map(([action, { allowed, reason }]) => [
      action,
      allowed ? 'yes' : 'no',
      reason,
    ]),
  }));
}

export const showSession: Run = async (context) => {
  if (context.args.is('permissions')) return showPermissions(context);
  const { text, body } = await signedIn(context);
  const { user, expires_at: expires = '' } = body;
  await context.out.document(text, () => ({
    header: ['USER', 'MASTER', 'ACCOUNT', 'EXPIRES'],
    rows: user ? [[user.name, user.master ? 'yes' : 'no', user.account_id, tableTime(expires)]] : [],
  }));
};
