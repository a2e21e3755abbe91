import type { Clock } from '../basics/clock.ts';
import type { Database } from '../store/database/database.ts';
import { DatabaseUnavailable } from '../store/database/unavailable.ts';
import { addEvents } from '../store/stacks/events.ts';
import { type Claim, postponePass } from '../store/stacks/schedule.ts';
import { backOffMs } from './decide.ts';

/** Shown to the owner of the stack. The cause is in the server log, for the operator alone. */
const internalErrorReason =
  'Internal error while working on this stack; retrying. Details are in the server log.';

const outageReason = 'The database was not available; trying again.';

/** Whether the last pass over the stack failed with an internal error. */
export const hadInternalError = (claim: Claim): boolean =>
  claim.troubles > 0 && claim.status_reason === internalErrorReason;

/** Nothing is wrong with the stack: it goes on as soon as the database can record it, without an event. */
const postponeAfterOutage = (
  { database, clock }: { database: Database; clock: Clock },
  claim: Claim,
): Promise<boolean> => {
  const now = clock.now();
  const end = { reason: outageReason, now, nextAt: now + backOffMs(0) };
  return database.transaction((query) => postponePass(query, claim, end));
};

/**
 * Shows an internal error on the stack and schedules the retry, each later than the one before. Keeps the operation, the
 * status and everything else that is known. The event has a separate transaction: the reason shows even if events cannot be
 * written.
 */
export async function recordFailedPass(
  place: { database: Database; clock: Clock },
  claim: Claim,
  error: unknown,
): Promise<void> {
  if (error instanceof DatabaseUnavailable) return void (await postponeAfterOutage(place, claim));
  const { database, clock } = place;
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
