import type { createHook, deleteHook, describeHook } from '../../../contract/v3/automatic/hooks.ts';
import type { Context, Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';
import { printSecret } from '../client/print-secret.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import { printReply } from '../print-reply.ts';

const path = '/v3/alm/stack/{stack_id}/deploy-hook';
const paramsOf = ({ args }: Context) => ({ stack_id: args.required('id') });

export const createDeployHook: Run = async (context) => {
  const created = await context.api.call<typeof createHook>('POST', path, { params: paramsOf(context) });
  await printSecret(context, created);
  context.out.info('In a forge, choose the content type application/json.');
};

export const showDeployHook: Run = async (context) => {
  const { text, body } = await context.api.call<typeof describeHook>('GET', path, {
    params: paramsOf(context),
  });
  await context.out.document(text, () => ({
    header: ['MEMBER', 'VALUE'],
    rows: Object.entries(body)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => [name, tableTime(String(value))]),
  }));
};

export const deleteDeployHook: Run = async (context) => {
  const params = paramsOf(context);
  await confirmDeletion(context, { what: `the deploy hook of ${params.stack_id}` });
  await printReply(context, await context.api.call<typeof deleteHook>('DELETE', path, { params }));
};
