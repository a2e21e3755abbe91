import type { restartInstance as restartRoute } from '../../../contract/v2/instances.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const restartInstance: Run = async (context) => {
  const { api, args } = context;
  const params = { stack_id: args.required('id') };
  const body = { instance_id: args.required('instance-id') };
  const path = '/v2/alm/stack/{stack_id}/restart_instance';
  await printReply(context, await api.call<typeof restartRoute>('POST', path, { params, body }));
};
