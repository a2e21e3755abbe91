import type { ClientKind } from '../../../contract/client-kinds.ts';
import type { createClient as createRoute } from '../../../contract/v3/clients.ts';
import type { Run } from '../../command.ts';
import { printSecret } from './print-secret.ts';

export const createClient: Run = async (context) => {
  // The parser accepts only the kinds.
  const body = { label: context.args.required('label'), kind: context.args.required('kind') as ClientKind };
  await printSecret(context, await context.api.call<typeof createRoute>('POST', '/v3/client', { body }));
};
