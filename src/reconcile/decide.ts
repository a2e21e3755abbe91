import { backOff } from '../basics/back-off.ts';
import type { Operation, Phase } from '../model/status.ts';
import { type Observation, targetOf } from '../vendors/vendor.ts';

/** The requested state of a stack, and what earlier passes recorded about reaching it. */
export interface Desired {
  operation: Operation;
  /** The version to reach; for a deletion, the last one that was requested. */
  version: string;
  /** Once reached, a version is not re-created without a request. */
  settledVersion: string | null;
  /** The vendor already accepted exactly this intent. */
  tried: boolean;
  /** The vendor already refused exactly this intent, for this reason. */
  refusal: string | null;
  /** Passes in a row that failed. */
  failures: number;
  /** The version whose update was cancelled, and the data that it would have removed; null: no update was cancelled. */
  cancelled: { version: string; losses: string } | null;
}

export interface Decision {
  step: 'apply' | 'remove' | 'cancel' | 'wait' | 'nothing' | 'give-up';
  /** `unchanged`: nothing new is known, so the status stays as it is and never flaps. */
  phase: Phase | 'unchanged';
  reason: string;
  /** What the step means beyond its name: for the events. */
  note?: string;
  /** Null: never, because nothing can change any more. */
  lookAgainMs: number | null;
}

const afterStepMs = 100;
const busyMs = 2_000;
/** Delay before the retry of a failure that may be temporary. */
const retryMs = 10_000;
/** Nothing to do: check now and then that the resources are still there. */
const idleMs = 300_000;

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

const recreating = 'Nothing of this stack is left at the vendor: all its resources are created again.';
const revoking = 'The deletion of the stack failed and is revoked: what it deleted is created again.';

const vanished =
  'The resources of this stack are gone: they were deleted outside Almanac. Update the stack to create them again, or delete it.';

/** Going back by an update would put empty databases in place of those that are gone: that takes another request. */
const isLost = ({ cancelled }: Desired, version: string): boolean =>
  cancelled !== null && cancelled.version === targetOf(version) && cancelled.losses !== '';

const cancelledTooLate = ({ version, cancelled }: Desired): string =>
  `The update was complete before it could be cancelled. ${cancelled?.losses ?? ''} Roll back to version ${version} to go back without it.`;

/** Pure: the next step for one stack, from the desired state and the observed one. */
export function decide(desired: Desired, observation: Observation): Decision {
  if (observation.kind === 'unreachable') return waitForVendor(desired, observation);
  return desired.operation === 'DELETE'
    ? decideRemoval(desired, observation)
    : decidePresence(desired, observation);
}

type Unreached = Extract<Observation, { kind: 'unreachable' }>;

/** How the reason starts while the vendor does not accept the credential. */
export const rejectedCredential = 'The vendor rejects the credential';

export const outageReason = ({ reason, credentialRejected }: Omit<Unreached, 'kind'>): string =>
  credentialRejected
    ? `${rejectedCredential}; retrying: ${reason}`
    : `The vendor cannot be reached; retrying: ${reason}`;

const waitForVendor = (desired: Desired, observation: Unreached): Decision => ({
  step: 'wait',
  phase: 'unchanged',
  reason: outageReason(observation),
  lookAgainMs: backOffMs(desired.failures),
});

type Reached = Exclude<Observation, Unreached>;

/** A driver that returns anything else has a bug; guessing a step could destroy something. */
function rejectUnknownKind({ kind }: { kind: string }): never {
  throw new Error(`Unknown kind of observation: ${kind}`);
}

function decidePresence(desired: Desired, observation: Reached): Decision {
  const current = observation.kind !== 'absent' && observation.version === desired.version;
  if (desired.refusal !== null && !current) return giveUp(desired.refusal);
  // The stack was complete before: repairing it does not change its status.
  const repairing = current && desired.settledVersion === desired.version;
  switch (observation.kind) {
    case 'absent':
      return decideAbsent(desired);
    case 'busy':
      if (desired.cancelled && !current && observation.doing === 'apply')
        return { ...wait(observation.lookAgainMs), step: 'cancel' };
      return repairing
        ? { ...wait(observation.lookAgainMs), phase: 'unchanged' }
        : wait(observation.lookAgainMs);
    case 'unfinished':
      return continueApply(desired, observation, repairing);
    case 'settled':
      if (current) return { ...done, lookAgainMs: observation.lookAgainMs ?? idleMs };
      return isLost(desired, observation.version) ? giveUp(cancelledTooLate(desired)) : step('apply');
    case 'broken':
      return (current && observation.terminal) || (observation.blocked && desired.tried)
        ? giveUp(observation.reason)
        : retryAfter(observation);
    default:
      return rejectUnknownKind(observation);
  }
}

type Unfinished = Extract<Observation, { kind: 'unfinished' }>;

/** A vendor that refused to continue may do so later: it is asked now and then. */
function continueApply({ refusal }: Desired, observation: Unfinished, repairing: boolean): Decision {
  const { onlyRemove, lookAgainMs = afterStepMs } = observation;
  if (onlyRemove !== undefined) return giveUp(onlyRemove);
  if (refusal !== null) return { ...step('apply'), lookAgainMs: idleMs };
  return { ...step('apply'), lookAgainMs, ...(repairing ? { phase: 'unchanged' } : {}) };
}

function decideAbsent({ settledVersion, version }: Desired): Decision {
  if (settledVersion === version) return giveUp(vanished);
  return settledVersion === null ? step('apply') : { ...step('apply'), note: recreating };
}

const retryAfter = ({ doing, reason }: Extract<Observation, { kind: 'broken' }>): Decision => ({
  ...step('apply'),
  reason,
  ...(doing === 'remove' ? { note: revoking } : {}),
  lookAgainMs: retryMs,
});

function decideRemoval(desired: Desired, observation: Reached): Decision {
  if (desired.refusal !== null) return giveUp(desired.refusal);
  switch (observation.kind) {
    case 'absent':
      // Requested at least once, even if the stack was never created: the vendor may keep something outside the stack.
      return desired.tried && !observation.leftovers ? { ...done, lookAgainMs: null } : step('remove');
    case 'busy':
      if (observation.doing === 'remove') return wait(observation.lookAgainMs);
      // Already requested: the vendor first finishes its current work.
      return desired.tried
        ? { ...step('remove'), lookAgainMs: observation.lookAgainMs ?? busyMs }
        : step('remove');
    case 'settled':
      return step('remove');
    case 'unfinished':
      return { ...step('remove'), lookAgainMs: observation.lookAgainMs ?? afterStepMs };
    case 'broken':
      return observation.doing === 'remove' && observation.terminal && desired.tried
        ? giveUp(observation.reason)
        : step('remove');
    default:
      return rejectUnknownKind(observation);
  }
}
