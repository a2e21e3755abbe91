import type { returnRollout as returnRoute } from '../../../contract/v3/rollouts.ts';
import type { Run } from '../../command.ts';
import { canAsk, requireYes } from '../../prompt/confirm.ts';
import { Output } from '../../view/output.ts';
import { sendGuarded } from '../data/send-guarded.ts';
import { printAndWait } from '../stack/print-and-wait.ts';
import { currentRollouts, printRollouts } from './show.ts';

export const returnRollout: Run = async (context) => {
  const { api, args, system } = context;
  const params = { stack_id: args.required('id') };
  if (!args.is('yes') && canAsk(system)) {
    // The state is a message here: the data of the command is the response.
    const table = new Output(system, { format: 'table', indent: 2, file: undefined });
    await printRollouts(table.onErrors(), await currentRollouts(context));
    await requireYes(system, 'Go back to the last version that served?', '--yes');
  }
  const reply = await sendGuarded(context, (query) =>
    api.call<typeof returnRoute>('POST', '/v3/alm/stack/{stack_id}/rollouts/return', { params, query }),
  );
  return printAndWait(context, reply);
};
