import type { NewEvent } from '../store/stacks/events.ts';
import type { Claim, Facts } from '../store/stacks/schedule.ts';
import { type Observation, targetOf, type Undoing } from '../vendors/vendor.ts';

type UndoingFacts = Pick<Facts, 'undoing' | 'undoing_progress'>;

const nothingUndone: UndoingFacts = { undoing: '', undoing_progress: '' };

/** Whether the vendor goes back from an update because it was cancelled: nothing failed. */
const isCancelled = ({ cancelled_version: cancelled, desired_version: desired }: Claim, version: string) =>
  cancelled !== null && targetOf(version) !== desired;

/** What only a creation made is removed; an update also changes things back. */
const progressText = ({ operation }: Claim, { progress }: Undoing): string =>
  progress ? `${progress.done} of ${progress.of} ${operation === 'CREATE' ? 'removed' : 'undone'}` : '';

/** While a vendor cannot be reached, the last word about it stays. A deletion is what is being done, whatever it ends. */
export function undoingFacts(claim: Claim, observation: Observation): UndoingFacts {
  const { undoing, undoing_progress } = claim;
  if (observation.kind === 'unreachable') return { undoing, undoing_progress };
  if (claim.operation === 'DELETE' || !('undoing' in observation) || !observation.undoing)
    return nothingUndone;
  if (isCancelled(claim, observation.version)) return nothingUndone;
  return {
    undoing: observation.undoing.cause,
    undoing_progress: progressText(claim, observation.undoing),
  };
}

/** Says once that the vendor undoes what it did for a version. */
export function undoingEvents(
  claim: Claim,
  observation: Observation,
  { undoing, now }: Pick<Facts, 'undoing'> & { now: number },
): NewEvent[] {
  if (undoing === '' || claim.undoing !== '') return [];
  const working = 'version' in observation ? targetOf(observation.version) : '';
  const failed = claim.operation === 'CREATE' ? 'creation' : 'update';
  const message = `The vendor undoes the ${failed}, because it failed: ${undoing}`;
  return [{ at: now, kind: 'step', message, versionId: working || claim.desired_version }];
}
