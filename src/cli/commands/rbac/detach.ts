import type { detachRole as detachRoute } from '../../../contract/v3/user-roles.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const detachRole: Run = async (context) => {
  const { api, args } = context;
  const params = { role_id: args.required('role-id') };
  const query = { username: args.required('user') };
  const path = '/v3/user/role/{role_id}';
  await printReply(context, await api.call<typeof detachRoute>('DELETE', path, { params, query }));
};
