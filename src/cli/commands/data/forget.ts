import type { forgetData as forgetRoute } from '../../../contract/v3/data.ts';
import type { Run } from '../../command.ts';
import { canAsk, requireYes } from '../../prompt/confirm.ts';
import { printReply } from '../print-reply.ts';
import { fetchStore } from './show.ts';

export const forgetData: Run = async (context) => {
  const { api, args, out, system } = context;
  const params = { data_id: args.required('id') };
  if (!args.is('yes') && canAsk(system)) {
    const { body } = await fetchStore(context);
    if (body.kept) out.warn(body.kept.where);
    await requireYes(system, `Forget ${params.data_id}? It is not deleted at the vendor.`, '--yes');
  }
  const reply = await api.call<typeof forgetRoute>('DELETE', '/v3/alm/data/{data_id}', { params });
  await printReply(context, reply);
  if (reply.body.kept) out.info(`It is not deleted at the vendor. ${reply.body.kept.where}`);
};
