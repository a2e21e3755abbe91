import type { QueryOf, SuccessOf } from '../../../contract/route.ts';
import type { deleteV2Stack } from '../../../contract/v2/stacks.ts';
import type { deleteStack as deleteV3Stack } from '../../../contract/v3/stacks.ts';
import type { Context, Run } from '../../command.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import { printReply } from '../print-reply.ts';
import { lossesOf } from './losses.ts';
import { finishChange } from './print-and-wait.ts';

export const deleteStack: Run = async (context) => {
  const { api, args, version } = context;
  const stackId = args.required('id');
  await confirmDeletion(context, { what: `stack ${stackId}`, losses: () => lossesOf(context, stackId) });
  const query: QueryOf<typeof deleteV3Stack> = args.is('delete-data') ? { data: 'delete' } : {};
  const input = { params: { stack_id: stackId }, query };
  const reply =
    version === 'v2'
      ? await api.call<typeof deleteV2Stack>('DELETE', '/v2/alm/stack/{stack_id}', input)
      : await api.call<typeof deleteV3Stack>('DELETE', '/v3/alm/stack/{stack_id}', input);
  const print = async () => {
    await printReply(context, reply);
    printData(context, reply.body);
  };
  return finishChange(context, reply, { stackId, print });
};

function printData({ out }: Context, { data = [] }: Pick<SuccessOf<typeof deleteV3Stack>, 'data'>): void {
  for (const { resource, resource_type: type, kept_as: keptAs } of data)
    out.info(`${type} ${resource}: ${keptAs || 'its data is deleted.'}`);
}
