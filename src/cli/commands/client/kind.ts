import type { ClientKind } from '../../../contract/client-kinds.ts';
import type { changeClientKind as changeRoute } from '../../../contract/v3/client-rights.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const changeClientKind: Run = async (context) => {
  const params = { client_id: context.args.required('client-id') };
  // The parser accepts only the kinds.
  const body = { kind: context.args.required('kind') as ClientKind };
  const path = '/v3/client/{client_id}/kind';
  await printReply(context, await context.api.call<typeof changeRoute>('PUT', path, { params, body }));
};
