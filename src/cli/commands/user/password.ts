import type { changePassword as changeRoute } from '../../../contract/v3/users.ts';
import type { Context, Run } from '../../command.ts';
import type { Reply } from '../../net/api.ts';
import { ApiError } from '../../net/api-error.ts';
import { askSecret } from '../../prompt/prompt.ts';
import { printReply } from '../print-reply.ts';
import { withCode } from '../with-code.ts';
import { newPassword } from './new-password.ts';

type Changed = Reply<{ status: string }>;

const putPassword = (context: Context, password: string, current?: string): Promise<Changed> =>
  withCode(context, (code) =>
    context.api.call<typeof changeRoute>('PUT', '/v3/user/{username}/password', {
      params: { username: context.args.required('name') },
      body: { password, ...(current === undefined ? {} : { current_password: current }), ...code },
    }),
  );

const lacksCurrentPassword = (error: unknown): boolean =>
  error instanceof ApiError && (error.body?.problems ?? []).some(({ path }) => path === 'current_password');

/** Prompts for the current password only when the server requires it, which it does for the caller's own account. */
async function change(context: Context, password: string): Promise<{ reply: Changed; isOwn: boolean }> {
  const flag = context.args.text('current-password');
  if (flag !== undefined) return { reply: await putPassword(context, password, flag), isOwn: true };
  try {
    return { reply: await putPassword(context, password), isOwn: false };
  } catch (error) {
    if (!lacksCurrentPassword(error)) throw error;
  }
  const typed = await askSecret(context.system, 'Current password: ', '--current-password');
  return { reply: await putPassword(context, password, typed), isOwn: true };
}

export const changePassword: Run = async (context) => {
  const name = context.args.required('name');
  const password = await newPassword(context, `New password for ${name}`);
  const { reply, isOwn } = await change(context, password);
  await printReply(context, reply);
  context.out.info(
    `All tokens of ${name} are revoked${isOwn ? ', including yours. Sign in again: alm login' : '.'}`,
  );
};
