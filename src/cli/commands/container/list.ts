import type { SuccessOf } from '../../../contract/route.ts';
import type { listContainers as listRoute } from '../../../contract/v3/containers.ts';
import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { shortDigest } from '../../view/short-digest.ts';
import { type Table, tableTime } from '../../view/table.ts';
import { unixTime } from '../unix-time.ts';

type Container = SuccessOf<typeof listRoute>[number];

/** Agents that run one container name it like their instance: then its id says nothing. */
const hasOwnId = ({ container_id: id, instance_id: instance }: Container): boolean => id !== instance;

function tableOf(containers: readonly Container[]): Table {
  const withIds = containers.some(hasOwnId);
  return {
    priority: ['INSTANCE ID', 'CONTAINER ID', 'STATE', 'REASON', 'IMAGE', 'SINCE'],
    header: [
      ...(withIds ? ['CONTAINER ID'] : []),
      'INSTANCE ID',
      'IMAGE',
      'DIGEST',
      'STATE',
      'SINCE',
      'STATUS',
      'UPDATED',
      'AGENT ID',
      'REASON',
    ],
    rows: containers.map((container) => [
      ...(withIds ? [container.container_id] : []),
      container.instance_id,
      container.image ?? '',
      shortDigest(container.digest ?? ''),
      container.state ?? '',
      tableTime(container.since ?? ''),
      container.status,
      unixTime(container.update_time),
      container.agent_id,
      container.reason ?? '',
    ]),
  };
}

export const listContainers: Run = async ({ api, args, out }) => {
  const stackId = args.text('id') ?? '';
  const instanceId = args.text('instance-id') ?? '';
  if (stackId === '' && instanceId === '')
    throw usageError('--id <stack id> or --instance-id <instance id> is required.');
  if (stackId !== '' && instanceId !== '') out.warn('--id is ignored because --instance-id is given.');
  const query = instanceId === '' ? { stack_id: stackId } : { instance_id: instanceId };
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/alm/container', { query });
  await out.document(text, () => tableOf(body));
};
