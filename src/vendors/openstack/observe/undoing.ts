import { undoneIn } from '../../undone.ts';
import type { Undoing } from '../../vendor.ts';
import { explain } from '../rest/explain.ts';
import type { HeatStack } from './list-stacks.ts';
import type { OperationHistory } from './operation-history.ts';

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
