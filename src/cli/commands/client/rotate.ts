import type { rotateClient as rotateRoute } from '../../../contract/v3/clients.ts';
import type { Run } from '../../command.ts';
import { printSecret } from './print-secret.ts';

export const rotateClient: Run = async (context) => {
  const params = { client_id: context.args.required('client-id') };
  const path = '/v3/client/{client_id}/rotate';
  await printSecret(context, await context.api.call<typeof rotateRoute>('POST', path, { params }));
};
