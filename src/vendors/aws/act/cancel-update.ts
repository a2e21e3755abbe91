import { type CancelAnswer, cancelled, tooLate } from '../../data.ts';
import { type StackOnVendor, targetOf, Unreachable } from '../../vendor.ts';
import { errorMessage, isRejection, readAws } from '../errors.ts';
import { readHistory } from '../observe/events.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { findCloudStack, type Region } from '../region.ts';

/** CloudFormation removes what an update replaced only after this state, and cannot go back from there. */
const cancellable = 'UPDATE_IN_PROGRESS';

export async function cancelUpdate(
  region: Region,
  { id }: StackOnVendor,
  version: string,
): Promise<CancelAnswer> {
  const { value: stack } = await findCloudStack(region, id, 0);
  if (!stack || stack.status !== cancellable) return answerIn(stack, version);
  // During an update the version of a stack may be the old or the new one. The token of the request is exact.
  const { version: target } = await readHistory(region, stack);
  if (target !== undefined && target !== version) return cancelled;
  const answer = await requestCancel(region, stack);
  if (answer) return answer;
  region.stacks.forget();
  return answerIn((await findCloudStack(region, id, 0)).value, version);
}

/** The answer where there is nothing to cancel. */
function answerIn(stack: CloudStack | undefined, version: string): CancelAnswer {
  if (!stack || targetOf(stack.version) !== version || phaseOf(stack.status).doing !== 'apply')
    return cancelled;
  if (stack.status === 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS')
    return tooLate('CloudFormation already removes what the update replaced.');
  return phaseOf(stack.status).kind === 'settled' ? tooLate('The update is complete.') : cancelled;
}

/** Undefined: the update has left the state in which it can be cancelled. */
async function requestCancel(region: Region, stack: CloudStack): Promise<CancelAnswer | undefined> {
  const { stackId, arn, version } = stack;
  const cloudFormation = await region.clients.cloudFormation();
  try {
    // Like a read: a key that may not cancel says nothing about the update.
    await readAws(() => cloudFormation.cancelUpdateStack({ StackName: arn }));
  } catch (cause) {
    if (cause instanceof Unreachable || !isRejection(cause)) throw cause;
    const reason = errorMessage(cause);
    return /CancelUpdateStack/.test(reason)
      ? undefined
      : tooLate(`AWS refuses: ${reason.replace(/\.$/, '')}.`);
  }
  region.operations.accept(stackId, { doing: 'apply', version });
  return cancelled;
}
