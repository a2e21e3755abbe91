import type { Run } from '../../command.ts';
import { failureOf } from '../../follow/outcome.ts';
import { StackCalls } from '../../follow/stack-calls.ts';
import { waitForStack } from '../../follow/wait.ts';

/** The first call is not retried: a wrong address or stack id is reported at once. */
export const waitCommand: Run = async (context) => {
  const stackId = context.args.required('id');
  const state = await new StackCalls(context, stackId, new AbortController().signal).describe();
  if (state.status.endsWith('_IN_PROGRESS')) return waitForStack(context, { stackId });
  context.out.info(`Stack ${stackId} has no operation in progress; it is ${state.status}.`);
  const failure = failureOf({ stackId }, { state });
  if (failure) throw failure;
  return undefined;
};
