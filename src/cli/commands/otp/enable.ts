import type {
  confirmSecondFactor as confirmRoute,
  enrolSecondFactor as enrolRoute,
} from '../../../contract/v3/sign-in/second-factor.ts';
import type { Run } from '../../command.ts';
import { askLine } from '../../prompt/prompt.ts';
import { printReply } from '../print-reply.ts';
import { askPassword } from './ask-password.ts';

export const enableCodes: Run = async (context) => {
  const { api, out, system } = context;
  const body = { current_password: await askPassword(context) };
  const { secret, uri } = (await api.call<typeof enrolRoute>('POST', '/v3/second_factor', { body })).body;
  out.info('Add this to your authenticator app: open the link on your phone, or type the key.');
  out.more(uri);
  out.more(`Key: ${secret}`);
  const otp = await askLine(system, 'Code that the app shows: ');
  const confirmed = await api.call<typeof confirmRoute>('POST', '/v3/second_factor/confirm', {
    body: { otp },
  });
  out.keepPrivate();
  await printReply(context, confirmed);
  out.info(
    'The recovery codes are shown only once. Each replaces a one-time code once. Store them in a safe place.',
  );
};
