import type { describeContainer as describeRoute } from '../../../contract/v3/containers.ts';
import type { Run } from '../../command.ts';

export const describeContainer: Run = async ({ api, args, out }) => {
  const params = { container_id: args.required('container-id') };
  const { text } = await api.call<typeof describeRoute>('GET', '/v3/alm/container/{container_id}', {
    params,
  });
  await out.document(text);
};
