import type { describeV2Stack } from '../../../contract/v2/stacks.ts';
import type { describeStack } from '../../../contract/v3/stacks.ts';
import type { Context } from '../../command.ts';
import { isLive } from '../../follow/display.ts';
import type { WaitTarget } from '../../follow/outcome.ts';
import { waitForStack } from '../../follow/wait.ts';
import type { Reply } from '../../net/api.ts';
import { ApiError } from '../../net/api-error.ts';
import { printReply } from '../print-reply.ts';
import { thenPrint } from '../then-print.ts';

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

/** A person on a terminal has seen the result; a document is for programs, and for those who ask for one. */
const wantsDocument = ({ args, system }: Context): boolean =>
  !system.stdoutIsTty || args.has('fmt') || args.has('query') || args.has('out');

interface Final {
  wait: () => Promise<number | void>;
  document: () => Promise<string>;
  /** What the service has accepted, if it does not answer any more. */
  accepted?: string;
}

/** Waits, then prints one document. */
export function withFinalDocument(
  context: Context,
  { wait, document, accepted }: Final,
): Promise<number | void> {
  const print = async (text: string): Promise<void> => {
    if (wantsDocument(context)) await context.out.document(text);
  };
  return thenPrint(
    wait,
    async () => print(await document()),
    async () => (accepted === undefined ? undefined : print(accepted)),
  );
}

interface Change extends WaitTarget {
  /** Prints the response, where it is not waited for. */
  print?: () => Promise<void>;
}

/** Prints the response to an accepted change; with `--wait`, waits for its end and prints the stack instead. */
export async function finishChange(
  context: Context,
  reply: Reply<unknown>,
  { print = () => printReply(context, reply), ...target }: Change,
): Promise<number | void> {
  if (!context.args.is('wait')) return print();
  if (!isLive(context)) context.out.info(`[${reply.statusLine}] stack id: ${target.stackId}`);
  return withFinalDocument(context, {
    wait: () => waitForStack(context, target),
    document: () => finalState(context, target.stackId),
    accepted: reply.text,
  });
}

/** The same for a response that names the stack and its new version. */
export const printAndWait = (
  context: Context,
  reply: Reply<{ stack_id: string; version_id: string }>,
): Promise<number | void> =>
  finishChange(context, reply, { stackId: reply.body.stack_id, versionId: reply.body.version_id });
