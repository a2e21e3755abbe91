import type { deleteV2Stack } from '../../../contract/v2/stacks.ts';
import type { deleteStack as deleteV3Stack } from '../../../contract/v3/stacks.ts';
import type { Context, Run } from '../../command.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import type { DataWord } from '../data/data-word.ts';
import { sendGuarded } from '../data/send-guarded.ts';
import { dataLosses, lossesOf } from './losses.ts';
import { finishChange } from './print-and-wait.ts';

const sendDeletion = ({ api, version }: Context, stackId: string, query: DataWord) => {
  const input = { params: { stack_id: stackId }, query };
  return version === 'v2'
    ? api.call<typeof deleteV2Stack>('DELETE', '/v2/alm/stack/{stack_id}', input)
    : api.call<typeof deleteV3Stack>('DELETE', '/v3/alm/stack/{stack_id}', input);
};

export const deleteStack: Run = async (context) => {
  const { args, out } = context;
  const stackId = args.required('id');
  if (args.is('yes')) for (const loss of await dataLosses(context, stackId)) out.warn(loss);
  const losses = () => lossesOf(context, stackId);
  const isConfirmed = await confirmDeletion(context, { what: `stack ${stackId}`, losses });
  // Who agreed has seen that the disks are lost. What becomes of data is said by flags only.
  const confirmed: DataWord = isConfirmed ? { servers: 'replace' } : {};
  const reply = await sendGuarded(context, (word) =>
    sendDeletion(context, stackId, { ...word, ...confirmed }),
  );
  const { data = [] } = reply.body;
  for (const { sentence } of data) out.info(sentence);
  const code = await finishChange(context, reply, { stackId });
  if (data.some(({ kept_as: keptAs }) => keptAs !== ''))
    out.info(`To list what is kept: alm data list --stack ${stackId}`);
  return code;
};
