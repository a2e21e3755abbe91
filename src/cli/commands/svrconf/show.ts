import type { describeServerConfig as describeRoute } from '../../../contract/v2/server-config.ts';
import type { Run } from '../../command.ts';
import { unixTime } from '../unix-time.ts';

export const showServerConfig: Run = async ({ api, args, out }) => {
  const query = { stack_id: args.required('id') };
  const { text, body } = await api.call<typeof describeRoute>('GET', '/v2/alm/serverconfig', { query });
  await out.document(text);
  out.info(`updated: ${unixTime(body.updated)}`);
};
