import type { deleteUser as deleteRoute } from '../../../contract/v3/users.ts';
import type { Run } from '../../command.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import { printReply } from '../print-reply.ts';

export const deleteUser: Run = async (context) => {
  const name = context.args.required('name');
  await confirmDeletion(context, {
    what: `user ${name}`,
    losses: async () => ['Its tokens end. The stacks and images of the user stay.'],
  });
  const params = { username: name };
  const path = '/v3/user/{username}';
  await printReply(context, await context.api.call<typeof deleteRoute>('DELETE', path, { params }));
};
