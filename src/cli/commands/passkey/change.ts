import type {
  deletePasskey as deleteRoute,
  renamePasskey as renameRoute,
} from '../../../contract/v3/sign-in/passkeys.ts';
import type { Context, Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

const path = '/v3/passkey/{passkey_id}';
const paramsOf = ({ args }: Context) => ({ passkey_id: args.required('passkey-id') });

export const renamePasskey: Run = async (context) => {
  const input = { params: paramsOf(context), body: { name: context.args.required('name') } };
  await printReply(context, await context.api.call<typeof renameRoute>('PUT', path, input));
};

export const deletePasskey: Run = async (context) => {
  const params = paramsOf(context);
  await printReply(context, await context.api.call<typeof deleteRoute>('DELETE', path, { params }));
};
