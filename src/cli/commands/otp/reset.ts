import type { resetSecondFactor as resetRoute } from '../../../contract/v3/sign-in/second-factor.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

export const resetCodes: Run = async (context) => {
  const params = { username: context.args.required('name') };
  const path = '/v3/user/{username}/second_factor';
  await printReply(context, await context.api.call<typeof resetRoute>('DELETE', path, { params }));
};
