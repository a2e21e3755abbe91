import type { cancelUpdate as cancelRoute } from '../../../contract/v3/versions.ts';
import type { Run } from '../../command.ts';
import { printAndWait } from './print-and-wait.ts';

export const cancelUpdate: Run = async (context) => {
  const params = { stack_id: context.args.required('id') };
  const path = '/v3/alm/stack/{stack_id}/cancel';
  return printAndWait(context, await context.api.call<typeof cancelRoute>('POST', path, { params }));
};
