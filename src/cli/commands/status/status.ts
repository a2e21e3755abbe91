import type { Run } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { listAllStacks } from '../../follow/follow-stacks.ts';
import { byUrgency, countText, isBad, statusTable } from './rows.ts';

export const showStatus: Run = async (context) => {
  const { api, args, out, system } = context;
  if (args.is('watch')) return (await import('./watch.ts')).watchStatus(context);
  const { stacks } = await listAllStacks(api);
  const sorted = byUrgency(stacks);
  const isForPeople = system.stdoutIsTty && !args.has('out');
  await out.document(JSON.stringify(sorted), () => statusTable(sorted, system.clock.now(), isForPeople));
  if (out.format === 'table') out.info(`${countText(stacks)}.`);
  return exitCodeOf(stacks.some(isBad) ? 'operationFailed' : 'done');
};
