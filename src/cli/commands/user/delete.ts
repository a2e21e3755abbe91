import type { deleteUser as deleteRoute } from '../../../contract/v3/users.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const deleteUser: Run = async (context) => {
  const params = { username: context.args.required('name') };
  const path = '/v3/user/{username}';
  await printReply(context, await context.api.call<typeof deleteRoute>('DELETE', path, { params }));
};
