import type { restartInstance as restartRoute } from '../../../contract/v2/instances.ts';
import type { Run } from '../../command.ts';
import { canAsk, requireYes } from '../../prompt/confirm.ts';
import { printReply } from '../print-reply.ts';

export const restartInstance: Run = async (context) => {
  const { api, args, system } = context;
  const params = { stack_id: args.required('id') };
  const body = { instance_id: args.required('instance-id') };
  const question = `Restart instance ${body.instance_id} of ${params.stack_id}? One of a group is replaced, and its disk is lost.`;
  if (!args.is('yes') && canAsk(system)) await requireYes(system, question, '--yes');
  const path = '/v2/alm/stack/{stack_id}/restart_instance';
  await printReply(context, await api.call<typeof restartRoute>('POST', path, { params, body }));
};
