import type { attachRole as attachRoute } from '../../../contract/v3/user-roles.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const attachRole: Run = async (context) => {
  const { api, args } = context;
  const body = { username: args.required('user'), role_id: args.required('role-id') };
  const input = { body, encoding: 'form' as const };
  await printReply(context, await api.call<typeof attachRoute>('POST', '/v3/user/role', input));
};
