import type { Run } from '../../command.ts';
import { failureOf } from '../../follow/outcome.ts';
import { StackCalls } from '../../follow/stack-calls.ts';
import { waitForStack } from '../../follow/wait.ts';
import { thenPrint } from '../then-print.ts';
import { currentRollouts, printRollouts } from './show.ts';

/** Follows the operation in progress, whose end is that of its rollouts; then shows the instances, however it ended. */
export const watchRollouts: Run = async (context) => {
  const stackId = context.args.required('id');
  // Not retried: a wrong address or stack id is reported at once.
  const calls = new StackCalls(context, stackId, new AbortController().signal);
  const state = await calls.describe();
  const watch = async (): Promise<number | void> => {
    if (state.status.endsWith('_IN_PROGRESS')) return waitForStack(context, { stackId });
    const failure = failureOf({ stackId }, { state, rollouts: await calls.rollouts() });
    if (failure) throw failure;
    return undefined;
  };
  return thenPrint(watch, async () => printRollouts(context.out, await currentRollouts(context)));
};
