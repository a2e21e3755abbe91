import type {
  attachClientRole as attachRoute,
  detachClientRole as detachRoute,
} from '../../../contract/v3/client-rights.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const attachClientRole: Run = async (context) => {
  const params = { client_id: context.args.required('client-id') };
  const body = { role_id: context.args.required('role-id') };
  const path = '/v3/client/{client_id}/role';
  await printReply(context, await context.api.call<typeof attachRoute>('POST', path, { params, body }));
};

export const detachClientRole: Run = async (context) => {
  const params = {
    client_id: context.args.required('client-id'),
    role_id: context.args.required('role-id'),
  };
  const path = '/v3/client/{client_id}/role/{role_id}';
  await printReply(context, await context.api.call<typeof detachRoute>('DELETE', path, { params }));
};
