import type { CloudStack } from './list-stacks.ts';
import type { OperationHistory, ResourceFailure } from './operation-history.ts';

const textsOf = (failures: readonly ResourceFailure[]): string => failures.map(({ text }) => text).join('; ');

/** Why a stack is broken, and where it takes more than another update, what to do. */
export function brokenReason({ status, stackId, reason }: CloudStack, history: OperationHistory): string {
  const cause = history.reason || reason || status;
  if (status === 'UPDATE_ROLLBACK_FAILED') return undoFailed(cause, stackId, history.undoFailures);
  if (status === 'ROLLBACK_FAILED')
    return (
      `The creation failed: ${cause}. Deleting what it had created failed too: ${textsOf(history.undoFailures) || reason}. ` +
      'Update the stack to retry both, or delete it.'
    );
  return cause;
}

function undoFailed(cause: string, stackId: string, failures: readonly ResourceFailure[]): string {
  const skip = failures.map(({ resource }) => ` --skip-resources ${resource}`).join('');
  return (
    `The update failed: ${cause}. Undoing it failed too: ${textsOf(failures) || 'see the events in CloudFormation'}. ` +
    'The stack is partly at the old and partly at the new version. Remove the cause of the second failure and update the ' +
    'stack again: that first finishes the undoing. Or leave these resources as they are: ' +
    `alm stack rollback ${stackId} --ver <version>${skip || ' --skip-resources <resource>'}`
  );
}
