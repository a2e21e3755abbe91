import type { updateV2Stack } from '../../../contract/v2/stacks.ts';
import type { updateTemplate } from '../../../contract/v3/templates.ts';
import type { Context, Run } from '../../command.ts';
import { readInputFile } from '../../files/input-file.ts';
import { asDocument, withFilePositions } from '../../files/template-file.ts';
import { sendGuarded } from '../data/send-guarded.ts';
import { isApproved } from './approve-update.ts';
import { finishChange } from './print-and-wait.ts';
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
  const reply = await sendGuarded(context, (query) =>
    api.call<typeof updateV2Stack>('PUT', '/v2/alm/stack/{stack_id}', {
      params: { stack_id: stackId },
      query,
      body: { configurations: changes },
    }),
  );
  out.info(`[${reply.statusLine}] ${reply.body.status}`);
  return finishChange(context, reply, { stackId, print: () => out.document(reply.text) });
}

/** Also used by `alm template apply --id`. */
export async function updateFromTemplate(context: Context): Promise<number | void> {
  const { api, args } = context;
  const stackId = args.required('id');
  const params = { stack_id: stackId };
  const file = await readInputFile(context, 'alm-template');
  const body = asDocument(file);
  if (!(await isApproved(context, file))) return undefined;
  const reply = await withFilePositions(file, () =>
    sendGuarded(context, (query) =>
      api.call<typeof updateTemplate>('PUT', '/v3/alm/template/{stack_id}', { params, query, body }),
    ),
  );
  return finishChange(context, reply, { stackId, versionId: reply.body.version_id });
}

export const updateStack: Run = (context) =>
  context.version === 'v2' ? updateFromFlags(context) : updateFromTemplate(context);
