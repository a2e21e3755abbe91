import type { restoreData as restoreRoute } from '../../../contract/v3/data.ts';
import type { Run } from '../../command.ts';
import { printAndWait } from '../stack/print-and-wait.ts';
import { sendGuarded } from './send-guarded.ts';

export const restoreData: Run = async (context) => {
  const params = { data_id: context.args.required('id') };
  const path = '/v3/alm/data/{data_id}/restore';
  const reply = await sendGuarded(context, (query) =>
    context.api.call<typeof restoreRoute>('POST', path, { params, query }),
  );
  return printAndWait(context, reply);
};
