import type * as secrets from '../../../contract/v3/secrets/secrets.ts';
import type { Run } from '../../command.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import { printReply } from '../print-reply.ts';

export const deleteSecret: Run = async (context) => {
  const name = context.args.required('name');
  await confirmDeletion(context, {
    what: `secret ${name}`,
    losses: async () => ['Nobody can read its value again.'],
  });
  const params = { secret_name: name };
  const path = '/v3/alm/secret/{secret_name}';
  await printReply(context, await context.api.call<typeof secrets.deleteSecret>('DELETE', path, { params }));
};
