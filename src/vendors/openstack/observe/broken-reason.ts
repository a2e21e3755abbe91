import { undoneIn } from '../../undone.ts';
import type { Undoing } from '../../vendor.ts';
import { explain } from '../rest/explain.ts';
import type { HeatStack } from './list-stacks.ts';
import type { OperationHistory } from './operation-history.ts';
import { phaseOf } from './stack-phase.ts';

const suspended =
  'The stack was suspended outside Almanac. Update it, which resumes it first, or resume it in the cloud.';

/** Why a stack is broken, and where it takes more than another update, what to do. */
export function brokenReason({ status, reason }: HeatStack, history: OperationHistory): string {
  if (phaseOf(status).move === 'resume') return suspended;
  if (status === 'ROLLBACK_COMPLETE') return explain(history.reason || reason);
  if (status === 'ROLLBACK_FAILED')
    return (
      `The update failed: ${explain(history.reason || 'see the events')}. Undoing it failed too: ${explain(reason)} ` +
      'The stack is partly at the old and partly at the new version. Update it again, or delete it.'
    );
  return explain(reason || history.reason || status);
}

/** Trove does not delete a database that it still builds or changes. Heat reports that as a failed deletion; later it succeeds. */
const busyDatabase =
  /Instance \S+ is not ready\. \(Status is (BUILD|REBOOT|RESIZE|BACKUP|UPGRADE|PROMOTE|EJECT|DETACH)\)/;

/** For a stack that should exist. */
export const deletedOutside = ({ reason }: HeatStack): string =>
  `The deletion of the stack was started outside Almanac and failed: ${explain(reason)} Heat can only go on deleting. ` +
  'Back up the data of the database, then delete the stack; after that, an update creates it again.';

export const mayDeleteLater = ({ status, reason }: HeatStack): boolean =>
  status === 'DELETE_FAILED' && busyDatabase.test(reason);

/** Older engines write no failure of the stack itself before they undo it. */
const firstFailure = ({ events }: OperationHistory): string => {
  const failed = events.find(({ state }) => state.endsWith('_FAILED'));
  return failed ? `${failed.resource}: ${failed.message}` : '';
};

/** Why Heat undoes the last update, and how far it is. */
export const undoingOf = ({ heatId, status, reason }: HeatStack, history: OperationHistory): Undoing => ({
  cause: explain(history.reason || firstFailure(history) || reason || status),
  progress: undoneIn(history.events, heatId),
});
