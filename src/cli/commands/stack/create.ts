import type { listVendorCredentials } from '../../../contract/v2/credentials.ts';
import type { createV2Stack } from '../../../contract/v2/stacks.ts';
import type { applyTemplate } from '../../../contract/v3/templates.ts';
import { CliError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { readInputFile } from '../../files/input-file.ts';
import { asDocument, withFilePositions } from '../../files/template-file.ts';
import { finishChange, printAndWait } from './print-and-wait.ts';
import { configurationFrom, withoutSecrets } from './v2-configuration.ts';

async function firstCredential({ api }: Context, vendor: string): Promise<string> {
  const params = { vendor };
  const { body } = await api.call<typeof listVendorCredentials>('GET', '/v2/credentials/{vendor}', {
    params,
  });
  const [first] = body;
  if (first) return first.id;
  throw new CliError('refused', `No ${vendor} credential found to create the stack with.`, {
    hints: [
      `Add one: alm creds add --vendor ${vendor} --key-id <id> --account <name>`,
      'Or use the sandbox: --cred SANDBOX',
    ],
  });
}

async function createFromFlags(context: Context): Promise<number | void> {
  const { api, args, out } = context;
  const configurations = configurationFrom(args);
  const vendor = args.required('vendor');
  const region = args.required('region');
  const cred = args.text('cred') ?? (await firstCredential(context, vendor));
  out.info(`vendor: ${vendor}, region: ${region}, credentials: ${cred}`);
  out.info(`configurations: ${JSON.stringify(withoutSecrets(configurations))}`);
  const body = { vendor, region, cred, configurations };
  const reply = await api.call<typeof createV2Stack>('POST', '/v2/alm/stack', { body });
  out.info(`[${reply.statusLine}] stack creation started:`);
  out.info(`  stack id: ${reply.body.stack_id}`);
  out.info(`  status: ${reply.body.status}`);
  const print = () => out.document(reply.text);
  return finishChange(context, reply, { stackId: reply.body.stack_id, print });
}

async function createFromTemplate(context: Context): Promise<number | void> {
  const { api, args } = context;
  const file = await readInputFile(context, 'alm-template');
  const body = asDocument(file);
  const nickname = args.text('nickname');
  const query = { another: args.is('another'), ...(nickname === undefined ? {} : { nickname }) };
  const reply = await withFilePositions(file, () =>
    api.call<typeof applyTemplate>('POST', '/v3/alm/template', { body, query }),
  );
  return printAndWait(context, reply);
}

export const createStack: Run = (context) =>
  context.version === 'v2' ? createFromFlags(context) : createFromTemplate(context);
