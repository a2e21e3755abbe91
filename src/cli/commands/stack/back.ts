import type {
  cancelUpdate as cancelRoute,
  rollBack as rollBackRoute,
} from '../../../contract/v3/versions.ts';
import type { Context, Run } from '../../command.ts';
import { waitForStack } from '../../follow/wait.ts';
import type { Reply } from '../../net/api.ts';
import { sayReply } from '../said-reply.ts';

type Accepted = Reply<{ stack_id: string; version_id: string }>;

async function sayAndWait(context: Context, reply: Accepted): Promise<number | void> {
  await sayReply(context, reply);
  const { stack_id: stackId, version_id: versionId } = reply.body;
  return context.args.is('wait') ? waitForStack(context, { stackId, versionId }) : undefined;
}

export const cancelUpdate: Run = async (context) => {
  const params = { stack_id: context.args.required('id') };
  const path = '/v3/alm/stack/{stack_id}/cancel';
  return sayAndWait(context, await context.api.call<typeof cancelRoute>('POST', path, { params }));
};

export const rollBack: Run = async (context) => {
  const { api, args } = context;
  const params = { stack_id: args.required('id') };
  const body = { version_id: args.required('ver') };
  const path = '/v3/alm/stack/{stack_id}/rollback';
  return sayAndWait(context, await api.call<typeof rollBackRoute>('POST', path, { params, body }));
};
