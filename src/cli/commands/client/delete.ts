import type { deleteClient as deleteRoute } from '../../../contract/v3/clients.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const deleteClient: Run = async (context) => {
  const params = { client_id: context.args.required('client-id') };
  const path = '/v3/client/{client_id}';
  await printReply(context, await context.api.call<typeof deleteRoute>('DELETE', path, { params }));
};
