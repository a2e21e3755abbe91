import type {
  changePassword as changing,
  createUser as creating,
  deleteUser as deleting,
  describeUsers,
} from '../../../contract/v3/users.ts';
import type { Context, Run } from '../../command.ts';
import type { Reply } from '../../net/api.ts';
import { ApiError } from '../../net/api-error.ts';
import { askSecret } from '../../prompt/prompt.ts';
import { tableTime } from '../../view/table.ts';
import { sayReply } from '../said-reply.ts';
import { newPassword } from './new-password.ts';

export const listUsers: Run = async ({ api, out }) => {
  const { text, body } = await api.call<typeof describeUsers>('GET', '/v3/user');
  const users = Array.isArray(body) ? body : [];
  await out.document(text, () => ({
    header: ['USER NAME', 'USER ID', 'EMAIL', 'MASTER', 'CREATED', 'LAST LOGIN'],
    rows: users.map((user) => [
      user.username,
      user.user_id,
      user.email,
      String(user.master),
      tableTime(user.create_time),
      user.last_login === '' ? '-' : tableTime(user.last_login),
    ]),
  }));
};

export const describeUser: Run = async ({ api, args, out }) => {
  const query = { username: args.required('name') };
  const { text } = await api.call<typeof describeUsers>('GET', '/v3/user', { query });
  await out.document(text);
};

export const createUser: Run = async (context) => {
  const { api, args } = context;
  const username = args.required('name');
  const email = args.text('email');
  const password = await newPassword(context, `Password of ${username}`);
  const body = { username, password, ...(email === undefined ? {} : { email }) };
  await sayReply(context, await api.call<typeof creating>('POST', '/v3/user', { body }));
};

type Changed = Reply<{ status: string }>;

const putPassword = ({ api, args }: Context, password: string, current?: string): Promise<Changed> =>
  api.call<typeof changing>('PUT', '/v3/user/{username}/password', {
    params: { username: args.required('name') },
    body: { password, ...(current === undefined ? {} : { current_password: current }) },
  });

const lacksCurrent = (error: unknown): boolean =>
  error instanceof ApiError && (error.body?.problems ?? []).some(({ path }) => path === 'current_password');

/** Only the server knows whether it is one's own: without the present password it says that it wants it. */
async function changeKnowing(context: Context, password: string): Promise<{ reply: Changed; own: boolean }> {
  const current = context.args.text('current-password');
  if (current !== undefined) return { reply: await putPassword(context, password, current), own: true };
  try {
    return { reply: await putPassword(context, password), own: false };
  } catch (error) {
    if (!lacksCurrent(error)) throw error;
  }
  const asked = await askSecret(context.system, 'Current password: ', '--current-password');
  return { reply: await putPassword(context, password, asked), own: true };
}

export const changePassword: Run = async (context) => {
  const name = context.args.required('name');
  const password = await newPassword(context, `New password of ${name}`);
  const { reply, own } = await changeKnowing(context, password);
  await sayReply(context, reply);
  context.out.info(`Every token of ${name} has ended${own ? ', also yours. Sign in again: alm login' : '.'}`);
};

export const deleteUser: Run = async (context) => {
  const params = { username: context.args.required('name') };
  await sayReply(
    context,
    await context.api.call<typeof deleting>('DELETE', '/v3/user/{username}', { params }),
  );
};
