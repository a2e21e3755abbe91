import type { cancelUpdate as cancelRoute } from '../../../contract/v3/versions.ts';
import type { Run } from '../../command.ts';
import { sendGuarded } from '../data/send-guarded.ts';
import { printAndWait } from './print-and-wait.ts';

export const cancelUpdate: Run = async (context) => {
  const params = { stack_id: context.args.required('id') };
  const path = '/v3/alm/stack/{stack_id}/cancel';
  const reply = await sendGuarded(context, (query) =>
    context.api.call<typeof cancelRoute>('POST', path, { params, query }),
  );
  return printAndWait(context, reply);
};
