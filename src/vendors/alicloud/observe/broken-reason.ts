import { explain } from '../errors.ts';
import type { CloudStack } from './list-stacks.ts';
import type { OperationHistory } from './operation-history.ts';

/** After a rollback the status of the stack only says that the rollback succeeded. */
export function causeOf({ failure, reason, status }: CloudStack, history: OperationHistory): string {
  if (!failure) return history.reason || reason || status;
  const words = explain(failure.code, failure.message);
  return failure.resource ? `${failure.resource} (${failure.resourceType}): ${words}` : words;
}

/** Why a stack is broken, and where it takes more than another update, what to do. */
export function brokenReason(stack: CloudStack, history: OperationHistory): string {
  const { status, reason } = stack;
  if (status === 'ROLLBACK_FAILED')
    return (
      `The update failed: ${history.reason || causeOf(stack, history)}. Undoing it failed too: ${history.undoFailure || reason}. ` +
      'The stack is partly at the old and partly at the new version. Update it again, or delete it.'
    );
  if (status === 'CREATE_ROLLBACK_FAILED')
    return (
      `The creation failed: ${history.reason || causeOf(stack, history)}. Deleting what it had created failed too: ${history.undoFailure || reason}. ` +
      'Update the stack to retry both, or delete it.'
    );
  return causeOf(stack, history);
}
