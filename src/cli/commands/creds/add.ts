import type * as v2 from '../../../contract/v2/credentials.ts';
import type * as v3 from '../../../contract/v3/credentials.ts';
import type { Context, Run } from '../../command.ts';
import { askSecret } from '../../prompt/prompt.ts';
import { printReply } from '../print-reply.ts';

/** The members have no vendor prefix, so that the same names work for every vendor. */
async function credentialFrom({ args, system }: Context): Promise<Record<string, string>> {
  const keyId = args.required('key-id');
  const role = args.text('role-arn');
  const authUrl = args.text('auth-url');
  return {
    accessKeyId: keyId,
    secretKey:
      args.text('secret-key') ?? (await askSecret(system, `Secret key for ${keyId}: `, '--secret-key')),
    accountName: args.required('account'),
    ...(role === undefined ? {} : { roleArn: role }),
    ...(authUrl === undefined ? {} : { authUrl }),
  };
}

export const addCredential: Run = async (context) => {
  const { api, args, out, version } = context;
  const params = { vendor: args.required('vendor') };
  const input = { params, body: { credentials: await credentialFrom(context) } };
  const reply =
    version === 'v2'
      ? await api.call<typeof v2.saveVendorCredential>('POST', '/v2/credentials/{vendor}', input)
      : await api.call<typeof v3.saveVendorCredential>('POST', '/v3/credentials/{vendor}', input);
  await printReply(context, reply);
  if (reply.body.verified !== undefined) out.info(reply.body.verified);
};
