import type { createClient as createRoute } from '../../../contract/v3/clients.ts';
import type { Run } from '../../command.ts';
import { printSecret } from './print-secret.ts';

export const createClient: Run = async (context) => {
  const body = { label: context.args.required('label') };
  await printSecret(context, await context.api.call<typeof createRoute>('POST', '/v3/client', { body }));
};
