import type { deleteV2Stack } from '../../../contract/v2/stacks.ts';
import type { deleteStack as deleteV3Stack } from '../../../contract/v3/stacks.ts';
import type { Run } from '../../command.ts';
import { waitForStack } from '../../follow/wait.ts';
import { printReply } from '../print-reply.ts';

export const deleteStack: Run = async (context) => {
  const { api, args, version } = context;
  const stackId = args.required('id');
  const params = { stack_id: stackId };
  const reply =
    version === 'v2'
      ? await api.call<typeof deleteV2Stack>('DELETE', '/v2/alm/stack/{stack_id}', { params })
      : await api.call<typeof deleteV3Stack>('DELETE', '/v3/alm/stack/{stack_id}', { params });
  await printReply(context, reply);
  return args.is('wait') ? waitForStack(context, { stackId }) : undefined;
};
