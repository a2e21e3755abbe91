import { type CancelAnswer, cancelled, tooLate } from '../../data.ts';
import { readStack } from '../observe/read-stack.ts';
import { isSettled, nextWave } from '../plan/plan.ts';
import { atSizes } from '../plan/scaling.ts';
import type { Machine } from '../tools.ts';

/**
 * An engine does nothing by itself: without another `apply` the update stops. It removes no volume, so that the version
 * before finds its data again at any moment, even if its containers are gone. Data of Redis that it moved from a container to
 * a volume moves back.
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
  const isComplete = nextWave(stackId, document, observed).length === 0 && isSettled(document, observed);
  return isComplete ? tooLate('The update is complete.') : cancelled;
}
