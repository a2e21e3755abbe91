import type { deleteRole as deleteRoute } from '../../../contract/v3/roles.ts';
import type { Run } from '../../command.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import { printReply } from '../print-reply.ts';

export const deleteRole: Run = async (context) => {
  const roleId = context.args.required('role-id');
  await confirmDeletion(context, {
    what: `role ${roleId}`,
    losses: async () => ['All users and clients with the role lose what it allows.'],
  });
  const params = { role_id: roleId };
  const path = '/v3/role/{role_id}';
  await printReply(context, await context.api.call<typeof deleteRoute>('DELETE', path, { params }));
};
