import type { disableSecondFactor as disableRoute } from '../../../contract/v3/sign-in/second-factor.ts';
import type { Run } from '../../command.ts';
import { askLine } from '../../prompt/prompt.ts';
import { printReply } from '../print-reply.ts';
import { askPassword } from './ask-password.ts';

export const disableCodes: Run = async (context) => {
  const { api, args, system } = context;
  const current_password = await askPassword(context);
  const otp = args.text('otp') ?? (await askLine(system, 'One-time code: ', '--otp'));
  const body = { current_password, otp };
  const path = '/v3/second_factor/disable';
  await printReply(context, await api.call<typeof disableRoute>('POST', path, { body }));
};
