import type { describeUsers as describeRoute } from '../../../contract/v3/users.ts';
import type { Run } from '../../command.ts';

export const describeUser: Run = async ({ api, args, out }) => {
  const query = { username: args.required('name') };
  const { text } = await api.call<typeof describeRoute>('GET', '/v3/user', { query });
  await out.document(text);
};
