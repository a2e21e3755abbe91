import type { revokePersonalToken as revokeRoute } from '../../../contract/v3/sign-in/personal-tokens.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const revokeToken: Run = async (context) => {
  const params = { token_id: context.args.required('token-id') };
  const path = '/v3/personal_token/{token_id}';
  await printReply(context, await context.api.call<typeof revokeRoute>('DELETE', path, { params }));
};
