import { type CancelAnswer, cancelled, tooLate } from '../../data.ts';
import { readStack } from '../observe/read-stack.ts';
import { isSettled } from '../plan/plan.ts';
import { atSizes } from '../plan/scaling.ts';
import type { Machine } from '../tools.ts';

/**
 * An engine does nothing by itself: without another `apply` the update stops. It removes volumes last, once the new version
 * serves. Until then the version before finds its data again at any moment, even if its containers are gone.
 */
export async function cancelUpdate(
  machine: Machine,
  stackId: string,
  version: string,
): Promise<CancelAnswer> {
  const observed = await readStack(machine, stackId);
  const [newest] = observed.markers;
  if (newest?.version !== version || newest.doing !== 'apply') return cancelled;
  const document = atSizes(newest.document, newest.sizes);
  return isSettled(document, observed)
    ? tooLate('The update is complete, or only what it replaced is still to be removed.')
    : cancelled;
}
