import type { describeV2Stack } from '../../../contract/v2/stacks.ts';
import type { describeStack } from '../../../contract/v3/stacks.ts';
import type { Context } from '../../command.ts';
import type { WaitTarget } from '../../follow/outcome.ts';
import { waitForStack } from '../../follow/wait.ts';
import type { Reply } from '../../net/api.ts';
import { ApiError } from '../../net/api-error.ts';
import { printReply } from '../print-reply.ts';

/** The stack as it is now; a deleted stack is not found after its retention time. */
async function finalState({ api, version }: Context, stackId: string): Promise<string> {
  const params = { stack_id: stackId };
  try {
    if (version === 'v3')
      return (await api.call<typeof describeStack>('GET', '/v3/alm/stack/{stack_id}', { params })).text;
    const { body } = await api.call<typeof describeV2Stack>('GET', '/v2/alm/stack/{stack_id}', { params });
    return JSON.stringify(body[0]);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return JSON.stringify({ stack_id: stackId, stack_status: 'DELETE_COMPLETE' });
  }
}

/** Prints the final state once, after the wait; the accepted change if the wait did not see its end. */
async function waitAndPrint(context: Context, reply: Reply<unknown>, target: WaitTarget): Promise<number> {
  let hasEnded = false;
  try {
    const code = await waitForStack(context, target, () => void (hasEnded = true));
    return code;
  } finally {
    await context.out.document(hasEnded ? await finalState(context, target.stackId) : reply.text);
  }
}

/** Whether a program reads the final state: it has named a format, or selects from it. */
const wantsFinalState = ({ args, out }: Context): boolean =>
  args.is('wait') && (args.has('fmt') || args.has('query')) && out.format !== 'raw';

interface Change extends WaitTarget {
  /** Prints the response, where it is printed at once. */
  print?: () => Promise<void>;
}

/** Prints the response to an accepted change, and waits for the change with `--wait`. */
export async function finishChange(
  context: Context,
  reply: Reply<unknown>,
  { print = () => printReply(context, reply), ...target }: Change,
): Promise<number | void> {
  if (wantsFinalState(context)) return waitAndPrint(context, reply, target);
  await print();
  return context.args.is('wait') ? waitForStack(context, target) : undefined;
}

/** The same for a response that names the stack and its new version. */
export const printAndWait = (
  context: Context,
  reply: Reply<{ stack_id: string; version_id: string }>,
): Promise<number | void> =>
  finishChange(context, reply, { stackId: reply.body.stack_id, versionId: reply.body.version_id });
