import type * as v2 from '../../../contract/v2/credentials.ts';
import type * as v3 from '../../../contract/v3/credentials.ts';
import type { Run } from '../../command.ts';
import { confirmDeletion } from '../confirm-deletion.ts';
import { printReply } from '../print-reply.ts';

export const deleteCredential: Run = async (context) => {
  const { api, args, version } = context;
  await confirmDeletion(context, {
    what: `credential ${args.required('key-id')}`,
    losses: async () => ['Almanac can no longer use it. The key at the vendor stays.'],
  });
  const params = { vendor: args.required('vendor') };
  const input = { params, query: { credential_id: args.required('key-id') } };
  const reply =
    version === 'v2'
      ? await api.call<typeof v2.deleteVendorCredential>('DELETE', '/v2/credentials/{vendor}', input)
      : await api.call<typeof v3.deleteVendorCredential>('DELETE', '/v3/credentials/{vendor}', input);
  await printReply(context, reply);
};
