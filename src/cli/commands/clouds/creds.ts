import type * as v2 from '../../../contract/v2/credentials.ts';
import type * as v3 from '../../../contract/v3/credentials.ts';
import type { Context, Run } from '../../command.ts';
import { askSecret } from '../../prompt/prompt.ts';
import { tableTime } from '../../view/table.ts';
import { sayReply } from '../said-reply.ts';

const inPath = ({ args }: Context) => ({ vendor: args.required('vendor') });

/** Both versions of the interface have the same, each at its own address. */
const listed = (context: Context) => {
  const { api, version } = context;
  const input = { params: inPath(context) };
  return version === 'v2'
    ? api.call<typeof v2.listVendorCredentials>('GET', '/v2/credentials/{vendor}', input)
    : api.call<typeof v3.listVendorCredentials>('GET', '/v3/credentials/{vendor}', input);
};

export const listCredentials: Run = async (context) => {
  const { text, body } = await listed(context);
  const vendor = context.args.required('vendor').toLowerCase();
  await context.out.document(text, () => ({
    header: ['VENDOR', 'ID', 'ACCOUNT', 'LAST MODIFIED'],
    rows: body.map(({ id, account, lastModified }) => [vendor, id, account, tableTime(lastModified)]),
  }));
};

/** Named without the vendor's short name, which is understood for every vendor. */
async function credentialGiven({ args, system }: Context): Promise<Record<string, string>> {
  const keyId = args.required('key-id');
  const role = args.text('role-arn');
  return {
    accessKeyId: keyId,
    secretKey:
      args.text('secret-key') ?? (await askSecret(system, `Secret key of ${keyId}: `, '--secret-key')),
    accountName: args.required('account'),
    ...(role === undefined ? {} : { roleArn: role }),
  };
}

export const addCredential: Run = async (context) => {
  const { api, version } = context;
  const input = { params: inPath(context), body: { credentials: await credentialGiven(context) } };
  const reply =
    version === 'v2'
      ? await api.call<typeof v2.saveVendorCredential>('POST', '/v2/credentials/{vendor}', input)
      : await api.call<typeof v3.saveVendorCredential>('POST', '/v3/credentials/{vendor}', input);
  await sayReply(context, reply);
  if (reply.body.verified !== undefined) context.out.info(reply.body.verified);
};

export const deleteCredential: Run = async (context) => {
  const { api, args, version } = context;
  const input = { params: inPath(context), query: { credential_id: args.required('key-id') } };
  const reply =
    version === 'v2'
      ? await api.call<typeof v2.deleteVendorCredential>('DELETE', '/v2/credentials/{vendor}', input)
      : await api.call<typeof v3.deleteVendorCredential>('DELETE', '/v3/credentials/{vendor}', input);
  await sayReply(context, reply);
};
