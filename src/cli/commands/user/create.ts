import type { createUser as createRoute } from '../../../contract/v3/users.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';
import { newPassword } from './new-password.ts';

export const createUser: Run = async (context) => {
  const { api, args } = context;
  const username = args.required('name');
  const email = args.text('email');
  const password = await newPassword(context, `Password for ${username}`);
  const body = { username, password, ...(email === undefined ? {} : { email }) };
  await printReply(context, await api.call<typeof createRoute>('POST', '/v3/user', { body }));
};
