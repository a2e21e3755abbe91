import type { listRollouts as listRoute } from '../../../contract/v3/rollouts.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

export const listRollouts: Run = async ({ api, args, out }) => {
  const flag = args.text('flag');
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/alm/stack/{stack_id}/rollouts', {
    params: { stack_id: args.required('id') },
    query: flag === undefined ? {} : { flag },
  });
  await out.document(text, () => ({
    priority: ['LAYER', 'IMAGE', 'STATE', 'SERVING', 'REASON', 'BEGAN'],
    header: ['LAYER', 'REVISION', 'IMAGE', 'STATE', 'SERVING', 'FAILING', 'BEGAN', 'ENDED', 'REASON'],
    rows: body.rollouts.map((rollout) => [
      rollout.flag,
      String(rollout.revision),
      rollout.image,
      rollout.state,
      `${rollout.serving}/${rollout.wanted}`,
      String(rollout.failing),
      tableTime(rollout.began_at),
      tableTime(rollout.ended_at ?? ''),
      [rollout.reason, rollout.cause].filter(Boolean).join(' '),
    ]),
  }));
};
