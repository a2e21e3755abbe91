import { backOff } from '../basics/back-off.ts';
import type { Operation, Phase } from '../model/status.ts';
import type { Observation } from '../vendors/vendor.ts';

/** What somebody asked for, and what we remember of trying. */
export interface Desired {
  operation: Operation;
  /** The version to reach; for a deletion, the last one that was asked for. */
  version: string;
  /** Once reached, a version is not re-created behind the owner's back. */
  settledVersion: string | null;
  /** The vendor already accepted exactly this wish. */
  tried: boolean;
  /** The vendor already refused exactly this wish, with these words. */
  refusal: string | null;
  /** Passes in a row in which the vendor could not be asked. */
  troubles: number;
}

export interface Decision {
  step: 'apply' | 'remove' | 'wait' | 'nothing' | 'give-up';
  /** `unchanged`: nothing new is known, so the status stays as it is and never flaps. */
  phase: Phase | 'unchanged';
  reason: string;
  /** Null: never, nothing can change any more. */
  lookAgainMs: number | null;
}

const afterStepMs = 100;
const busyMs = 2_000;
/** A failure that may pass by itself is tried again this often. */
const retryMs = 10_000;
/** Nothing is wanted; look now and then whether it still holds. */
export const idleMs = 300_000;

export const backOffMs = (failures: number): number => backOff(failures, { first: 1_000, max: 60_000 });

const step = (name: 'apply' | 'remove'): Decision => ({
  step: name,
  phase: 'IN_PROGRESS',
  reason: '',
  lookAgainMs: afterStepMs,
});
const done: Decision = { step: 'nothing', phase: 'COMPLETE', reason: '', lookAgainMs: idleMs };
const giveUp = (reason: string): Decision => ({
  step: 'give-up',
  phase: 'FAILED',
  reason,
  lookAgainMs: idleMs,
});
const wait = (lookAgainMs = busyMs): Decision => ({
  step: 'wait',
  phase: 'IN_PROGRESS',
  reason: '',
  lookAgainMs,
});

const vanished =
  'Its resources are gone from the vendor: somebody deleted them outside Almanac. Update the stack to create them anew, or delete it.';

/** Pure: what to do next about one stack, given what is wanted and what is there. */
export function decide(desired: Desired, observation: Observation): Decision {
  if (observation.kind === 'unreachable') return waitForVendor(desired, observation.reason);
  return desired.operation === 'DELETE'
    ? decideRemoval(desired, observation)
    : decidePresence(desired, observation);
}

const waitForVendor = (desired: Desired, reason: string): Decision => ({
  step: 'wait',
  phase: 'unchanged',
  reason: `The vendor cannot be reached, trying again: ${reason}`,
  lookAgainMs: backOffMs(desired.troubles),
});

type Reached = Exclude<Observation, { kind: 'unreachable' }>;

function decidePresence(desired: Desired, observation: Reached): Decision {
  const current = observation.kind !== 'absent' && observation.version === desired.version;
  if (desired.refusal !== null && !current) return giveUp(desired.refusal);
  // The stack was complete once: what happens now keeps it so, and is no new change of status.
  const mending = current && desired.settledVersion === desired.version;
  switch (observation.kind) {
    case 'absent':
      return desired.settledVersion === desired.version ? giveUp(vanished) : step('apply');
    case 'busy':
      return mending
        ? { ...wait(observation.lookAgainMs), phase: 'unchanged' }
        : wait(observation.lookAgainMs);
    case 'unfinished':
      return mending ? { ...step('apply'), phase: 'unchanged' } : step('apply');
    case 'settled':
      return current ? { ...done, lookAgainMs: observation.lookAgainMs ?? idleMs } : step('apply');
    case 'broken':
      return (current && observation.terminal) || (observation.blocked && desired.tried)
        ? giveUp(observation.reason)
        : { ...step('apply'), reason: observation.reason, lookAgainMs: retryMs };
  }
}

function decideRemoval(desired: Desired, observation: Reached): Decision {
  // Asked at least once: the vendor may keep something beside the stack, also where the stack was never made.
  if (desired.refusal !== null) return giveUp(desired.refusal);
  if (observation.kind === 'absent') return desired.tried ? { ...done, lookAgainMs: null } : step('remove');
  if (observation.kind === 'busy' && observation.doing === 'remove') return wait(observation.lookAgainMs);
  // Asked already, and the vendor first finishes what it is at.
  if (observation.kind === 'busy' && desired.tried)
    return { ...step('remove'), lookAgainMs: observation.lookAgainMs ?? busyMs };
  const failed = observation.kind === 'broken' && observation.doing === 'remove' && observation.terminal;
  return failed && desired.tried ? giveUp(observation.reason) : step('remove');
}
