import type { linkOpenId, unlinkOpenId } from '../../../contract/v3/sign-in/openid.ts';
import type { Run } from '../../command.ts';
import { printReply } from '../print-reply.ts';

const path = '/v3/user/{username}/openid';

export const linkUser: Run = async (context) => {
  const { args, api } = context;
  const issuer = args.text('issuer');
  const params = { username: args.required('name') };
  const body = { subject: args.required('subject'), ...(issuer === undefined ? {} : { issuer }) };
  await printReply(context, await api.call<typeof linkOpenId>('PUT', path, { params, body }));
};

export const unlinkUser: Run = async (context) => {
  const params = { username: context.args.required('name') };
  await printReply(context, await context.api.call<typeof unlinkOpenId>('DELETE', path, { params }));
};
