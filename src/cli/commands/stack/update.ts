import type { updateV2Stack } from '../../../contract/v2/stacks.ts';
import type { Context, Run } from '../../command.ts';
import { readInputFile } from '../../files/input-file.ts';
import { asDocument, withFilePositions } from '../../files/template-file.ts';
import { waitForStack } from '../../follow/wait.ts';
import { sayReply } from '../said-reply.ts';
import { submitUpdate } from './submit-template.ts';
import { changesFrom } from './v2-configuration.ts';

async function updateFromFlags(context: Context): Promise<number | void> {
  const { api, args, out } = context;
  const stackId = args.required('id');
  const changes = changesFrom(args);
  if (Object.keys(changes).length === 0) {
    out.info('nothing to update');
    return;
  }
  out.info(`[update stack payload] ${JSON.stringify(changes)}`);
  const reply = await api.call<typeof updateV2Stack>('PUT', '/v2/alm/stack/{stack_id}', {
    params: { stack_id: stackId },
    body: { configurations: changes },
  });
  out.info(`[${reply.statusLine}] ${reply.body.status}`);
  await out.document(reply.text);
  return args.is('wait') ? waitForStack(context, { stackId }) : undefined;
}

/** `alm template apply --id` does the same. */
export async function updateFromTemplate(context: Context): Promise<number | void> {
  const { args } = context;
  const stackId = args.required('id');
  const file = await readInputFile(context, 'alm-template');
  const document = asDocument(file);
  const reply = await withFilePositions(file, () => submitUpdate(context, stackId, document));
  await sayReply(context, reply);
  return args.is('wait') ? waitForStack(context, { stackId, versionId: reply.body.version_id }) : undefined;
}

export const updateStack: Run = (context) =>
  context.version === 'v2' ? updateFromFlags(context) : updateFromTemplate(context);
