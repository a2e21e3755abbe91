import type { reattachRole as reattachRoute } from '../../../contract/v3/user-roles.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const reattachRole: Run = async (context) => {
  const { api, args } = context;
  const params = { role_id: args.required('role-id') };
  const body = { username: args.required('user') };
  const input = { params, body, encoding: 'form' as const };
  const path = '/v3/user/role/{role_id}';
  await printReply(context, await api.call<typeof reattachRoute>('PUT', path, input));
};
