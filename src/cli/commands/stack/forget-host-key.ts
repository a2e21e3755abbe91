import type { forgetHostKey as forgetRoute } from '../../../contract/v3/ssh.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const forgetHostKey: Run = async (context) => {
  const { api, args } = context;
  const params = { stack_id: args.required('id'), instance_id: args.required('instance-id') };
  const path = '/v3/alm/stack/{stack_id}/host_key/{instance_id}';
  await printReply(context, await api.call<typeof forgetRoute>('DELETE', path, { params }));
};
