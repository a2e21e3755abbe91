import type { Run } from '../../command.ts';
import { badEnding } from '../../follow/ending.ts';
import { StackCalls } from '../../follow/stack-calls.ts';
import { waitForStack } from '../../follow/wait.ts';

/** The first look is taken here: a wrong address or a wrong stack is said at once, not waited for. */
export const waitForIt: Run = async (context) => {
  const stackId = context.args.required('id');
  const now = await new StackCalls(context, stackId, new AbortController().signal).describe();
  if (now.status.endsWith('_IN_PROGRESS')) return waitForStack(context, { stackId });
  context.out.info(`Nothing is under way in stack ${stackId}; it is ${now.status}.`);
  const bad = badEnding({ stackId }, { now });
  if (bad) throw bad;
  return undefined;
};
