import type { Context } from '../../command.ts';
import { waitForStack } from '../../follow/wait.ts';
import type { Reply } from '../../net/api.ts';
import { printReply } from '../print-reply.ts';

/** Prints the response to an accepted change, and waits for the change with `--wait`. */
export async function printAndWait(
  context: Context,
  reply: Reply<{ stack_id: string; version_id: string }>,
): Promise<number | void> {
  await printReply(context, reply);
  const { stack_id: stackId, version_id: versionId } = reply.body;
  return context.args.is('wait') ? waitForStack(context, { stackId, versionId }) : undefined;
}
