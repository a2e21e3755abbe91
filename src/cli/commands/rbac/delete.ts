import type { deleteRole as deleteRoute } from '../../../contract/v3/roles.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const deleteRole: Run = async (context) => {
  const params = { role_id: context.args.required('role-id') };
  const path = '/v3/role/{role_id}';
  await printReply(context, await context.api.call<typeof deleteRoute>('DELETE', path, { params }));
};
