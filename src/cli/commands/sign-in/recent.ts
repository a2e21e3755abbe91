import type { describeRecentAccess, endRecentAccess } from '../../../contract/v3/sign-in/recent-access.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';
import { printReply } from '../print-reply.ts';

export const listRecentAccess: Run = async ({ api, args, out }) => {
  const since = args.text('since');
  const { text, body } = await api.call<typeof describeRecentAccess>('GET', '/v3/access/recent', {
    query: since === undefined ? {} : { since },
  });
  await out.document(text, () => ({
    header: ['KIND', 'ID', 'NAME', 'MADE'],
    rows: Object.entries(body).flatMap(([kind, made]) =>
      made.map(({ id, name, create_time: at }) => [kind, id, name, tableTime(at)]),
    ),
  }));
};

export const endRecent: Run = async (context) => {
  const since = context.args.required('since');
  await printReply(
    context,
    await context.api.call<typeof endRecentAccess>('POST', '/v3/access/end', { body: { since } }),
  );
};
