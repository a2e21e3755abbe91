import type { listRollouts } from '../../../contract/v3/rollouts.ts';
import type { Context, Run } from '../../command.ts';
import type { Rollout } from '../../follow/stack-calls.ts';
import type { Output } from '../../view/output.ts';
import { shortDigest } from '../../view/short-digest.ts';
import { type Table, tableTime } from '../../view/table.ts';

/** The newest rollout of each layer. */
function currentOf(rollouts: readonly Rollout[]): Rollout[] {
  const newest = new Map<string, Rollout>();
  for (const rollout of rollouts)
    if (rollout.revision > (newest.get(rollout.flag)?.revision ?? -1)) newest.set(rollout.flag, rollout);
  return [...newest.values()];
}

export async function currentRollouts({ api, args }: Context, flag?: string): Promise<Rollout[]> {
  const { body } = await api.call<typeof listRollouts>('GET', '/v3/alm/stack/{stack_id}/rollouts', {
    params: { stack_id: args.required('id') },
    query: { limit: 100, ...(flag === undefined ? {} : { flag }) },
  });
  return currentOf(body.rollouts);
}

const instanceTable = (rollouts: readonly Rollout[]): Table => ({
  priority: ['LAYER', 'INSTANCE ID', 'STATE', 'REASON', 'SINCE', 'IMAGE'],
  header: ['LAYER', 'INSTANCE ID', 'ADDRESS', 'STATE', 'SINCE', 'IMAGE', 'DIGEST', 'REASON'],
  rows: rollouts.flatMap(({ flag, instances }) =>
    instances.map((each) => [
      flag,
      each.instance_id,
      each.address,
      each.state,
      tableTime(each.since ?? ''),
      each.image,
      shortDigest(each.digest),
      each.reason,
    ]),
  ),
});

const sentenceOf = ({ flag, image, state, serving, wanted, reason }: Rollout): string =>
  `${flag}: ${image === '' ? '' : `${image} `}is ${state} on ${serving} of ${wanted}.${reason === '' ? '' : ` ${reason}`}`;

/** Shows rollouts with their instances, and what containers that failed wrote last. */
export async function printRollouts(out: Output, rollouts: readonly Rollout[]): Promise<void> {
  await out.document(JSON.stringify({ rollouts }), () => instanceTable(rollouts));
  if (out.format !== 'table') return;
  for (const rollout of rollouts) {
    const isBad = rollout.state === 'failing' || rollout.state === 'returned';
    if (isBad) out.warn(sentenceOf(rollout));
    else out.info(sentenceOf(rollout));
    for (const { instance_id: id, last_lines: text } of rollout.instances) {
      if (text.trim() === '') continue;
      out.info(`Last lines of the container on ${id}:`);
      for (const line of text.trimEnd().split('\n')) out.more(line);
    }
  }
}

export const showRollouts: Run = async (context) => {
  const rollouts = await currentRollouts(context, context.args.text('flag'));
  await printRollouts(context.out, rollouts);
  if (rollouts.length === 0 && context.out.format === 'table')
    context.out.info('The stack has no rollouts: it runs no container, or none since they are recorded.');
};
