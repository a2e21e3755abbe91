import type { Clock } from '../basics/clock.ts';
import type { Database } from '../store/database/database.ts';
import { addEvents } from '../store/stacks/events.ts';
import { type Claim, postponePass } from '../store/stacks/schedule.ts';
import { backOffMs } from './decide.ts';

/** Shown to the owner of the stack. The cause is in the server log, for the operator alone. */
const internalErrorReason =
  'Internal error while working on this stack; retrying. Details are in the server log.';

/** Whether the last pass over the stack failed with an internal error. */
export const hadInternalError = (claim: Claim): boolean =>
  claim.troubles > 0 && claim.status_reason === internalErrorReason;

/**
 * Shows an internal error on the stack and schedules the retry, each later than the one before. Keeps the operation, the
 * status and everything else that is known. The event has a separate transaction: the reason shows even if events cannot be
 * written.
 */
export async function recordFailedPass(
  { database, clock }: { database: Database; clock: Clock },
  claim: Claim,
): Promise<void> {
  const now = clock.now();
  const postponed = await database.transaction((query) =>
    postponePass(query, claim, { reason: internalErrorReason, now, nextAt: now + backOffMs(claim.troubles) }),
  );
  if (!postponed || hadInternalError(claim)) return;
  await database.transaction((query) =>
    addEvents(query, claim.id, [
      { at: now, kind: 'trouble', message: internalErrorReason, versionId: claim.desired_version },
    ]),
  );
  await database.notify('stack-event', claim.id);
}
