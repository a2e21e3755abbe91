import type {
  describeContainer as describing,
  listContainers as listing,
} from '../../../contract/v3/containers.ts';
import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { unixTime } from './unix-time.ts';

export const listContainers: Run = async ({ api, args, out }) => {
  const stackId = args.text('id') ?? '';
  const instanceId = args.text('instance-id') ?? '';
  if (stackId === '' && instanceId === '')
    throw usageError('Whose containers? --id <stack id> or --instance-id <instance id> is needed.');
  if (stackId !== '' && instanceId !== '')
    out.warn('With --instance-id, --id counts for nothing: the instance says more.');
  const query = instanceId === '' ? { stack_id: stackId } : { instance_id: instanceId };
  const { text, body } = await api.call<typeof listing>('GET', '/v3/alm/container', { query });
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

export const describeContainer: Run = async ({ api, args, out }) => {
  const params = { container_id: args.required('container-id') };
  const { text } = await api.call<typeof describing>('GET', '/v3/alm/container/{container_id}', { params });
  await out.document(text);
};
