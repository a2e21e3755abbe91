import type { listContainers as listRoute } from '../../../contract/v3/containers.ts';
import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { unixTime } from '../unix-time.ts';

export const listContainers: Run = async ({ api, args, out }) => {
  const stackId = args.text('id') ?? '';
  const instanceId = args.text('instance-id') ?? '';
  if (stackId === '' && instanceId === '')
    throw usageError('--id <stack id> or --instance-id <instance id> is required.');
  if (stackId !== '' && instanceId !== '') out.warn('--id is ignored because --instance-id is given.');
  const query = instanceId === '' ? { stack_id: stackId } : { instance_id: instanceId };
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/alm/container', { query });
  await out.document(text, () => ({
    header: ['CONTAINER ID', 'INSTANCE ID', 'STATUS', 'UPDATED', 'AGENT ID'],
    rows: body.map((container) => [
      container.container_id,
      container.instance_id,
      container.status,
      unixTime(container.update_time),
      container.agent_id,
    ]),
  }));
};
