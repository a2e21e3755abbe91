import { Failure, type FailureKind } from '../../../basics/failure.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { type RolloutRow, saveRollout } from '../../../store/stacks/rollouts.ts';
import { wakeStack } from '../../../store/stacks/schedule.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { rollBack } from '../change/roll-back.ts';

/** Acts for the account where nobody asked: what it does is named after the service. */
const automaticActor = (accountId: string): Actor => ({
  kind: 'client',
  accountId,
  clientId: 'almanac',
  clientKind: 'owner',
  roles: [],
});

/**
 * The rollout of an update failed: a copy of the last complete version becomes the desired one. If that is refused, for example
 * because it would remove data, the stack stays as it is, and says why.
 */
export async function goBack(service: Service, stack: StackRow, failed: RolloutRow): Promise<void> {
  const { desired_version: from, settled_version: to } = stack;
  if (to === null) return;
  const cause = causeOf(stack, failed);
  try {
    await rollBack(service, automaticActor(stack.account_id), {
      stackId: stack.id,
      versionId: to,
      returning: { from, cause },
      conditions: { fingerprint: '', ifMatch: from, serversOf: { version: from, flag: failed.flag } },
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (passing.has(error.kind)) return; // the next pass tries again
    if (error.kind === 'precondition_failed') return; // a newer request is there already
    await stay(service, stack, { failed, refusal: error.message });
  }
}

/** Kinds of failures after which the same attempt may succeed. */
const passing: ReadonlySet<FailureKind> = new Set([
  'vendor_trouble',
  'unavailable',
  'too_many_requests',
  'internal',
]);

const causeOf = ({ settled_version: to }: StackRow, { flag, image, reason, last_lines: lines }: RolloutRow) =>
  [
    `Layer ${flag}: the new container${image === '' ? '' : ` (${image})`} does not serve. ${reason}`,
    lines === '' ? '' : `Last lines: ${lines}`,
    `The stack went back to version ${to}, which keeps serving.`,
  ]
    .filter((text) => text !== '')
    .join(' ');

interface Stay {
  failed: RolloutRow;
  refusal: string;
}

async function stay(
  { database, clock }: Service,
  { id, desired_version: versionId }: StackRow,
  { failed, refusal }: Stay,
): Promise<void> {
  const now = clock.now();
  await database.transaction(async (query) => {
    await saveRollout(query, {
      ...failed,
      stays: 1,
      reason: `${failed.reason} The stack stays as it is: ${refusal}`,
    });
    await addEvents(query, id, [
      { at: now, kind: 'step', message: `The stack does not go back by itself: ${refusal}`, versionId },
    ]);
    await wakeStack(query, id, now);
  });
  await database.notify('stack-due', id);
  await database.notify('stack-event', id);
}
