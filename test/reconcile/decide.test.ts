import { describe, expect, it } from 'vitest';
import { backOffMs, type Decision, type Desired, decide } from '../../src/reconcile/decide.ts';
import { emptyView, type Observation } from '../../src/vendors/vendor.ts';

const view = emptyView;
const wanted: Desired = {
  operation: 'CREATE',
  version: 'v1',
  settledVersion: null,
  tried: false,
  refusal: null,
  failures: 0,
  cancelled: null,
};
const updating: Desired = { ...wanted, operation: 'UPDATE', version: 'v2', settledVersion: 'v1' };
const deleting: Desired = { ...wanted, operation: 'DELETE', settledVersion: 'v1' };
const triedDeletion: Desired = { ...deleting, tried: true };
const reached: Desired = { ...wanted, settledVersion: 'v1' };
/** Going back to v1, because the update to v2 was cancelled. */
const cancelling: Desired = {
  ...wanted,
  operation: 'UPDATE',
  settledVersion: 'v1',
  cancelled: { version: 'v2', losses: '' },
};
const cancellingLoss: Desired = {
  ...cancelling,
  cancelled: { version: 'v2', losses: 'Database main is gone.' },
};

const absent: Observation = { kind: 'absent', view };
const left: Observation = { ...absent, leftovers: true };
const applying = (version: string): Observation => ({ kind: 'busy', doing: 'apply', version, view });
const removing: Observation = { kind: 'busy', doing: 'remove', version: 'v1', view };
const settled = (version: string): Observation => ({ kind: 'settled', version, view });
const blocked = (version: string): Observation => ({
  kind: 'broken',
  doing: 'apply',
  version,
  reason: 'limit reached',
  terminal: true,
  blocked: true,
  view,
});
const unfinished = (version: string): Observation => ({ kind: 'unfinished', doing: 'apply', version, view });
const broken = (version: string, terminal = true): Observation => ({
  kind: 'broken',
  doing: 'apply',
  version,
  reason: 'Network VPC: limit reached',
  terminal,
  view,
});
const removalBroken: Observation = {
  kind: 'broken',
  doing: 'remove',
  version: 'v1',
  reason: 'in use by another',
  terminal: true,
  view,
};
const unreachable: Observation = { kind: 'unreachable', reason: 'timed out' };

type Expected = [Decision['step'], Decision['phase'], reason?: RegExp];

const situations: [situation: string, desired: Desired, seen: Observation, expected: Expected][] = [
  ['a new stack that does not exist yet is applied', wanted, absent, ['apply', 'IN_PROGRESS']],
  ['a create in progress is waited for', wanted, applying('v1'), ['wait', 'IN_PROGRESS']],
  ['a created stack is complete', wanted, settled('v1'), ['nothing', 'COMPLETE']],
  [
    'a create that failed permanently is given up',
    wanted,
    broken('v1'),
    ['give-up', 'FAILED', /limit reached/],
  ],
  [
    'a create that failed temporarily is retried',
    wanted,
    broken('v1', false),
    ['apply', 'IN_PROGRESS', /limit reached/],
  ],
  [
    'a create that the vendor refused is given up',
    { ...wanted, refusal: 'no such type' },
    absent,
    ['give-up', 'FAILED', /no such type/],
  ],
  ['an update waits for the version in progress', updating, applying('v1'), ['wait', 'IN_PROGRESS']],
  ['an update of a settled stack is applied', updating, settled('v1'), ['apply', 'IN_PROGRESS']],
  ['an applied update is complete', updating, settled('v2'), ['nothing', 'COMPLETE']],
  ['an update repairs a failed create', updating, broken('v1'), ['apply', 'IN_PROGRESS']],
  ['an update that failed is given up', updating, broken('v2'), ['give-up', 'FAILED', /limit reached/]],
  [
    'an update that was refused keeps the current resources',
    { ...updating, refusal: 'no' },
    settled('v1'),
    ['give-up', 'FAILED', /no/],
  ],
  ['an update of a stack that vanished creates it again', updating, absent, ['apply', 'IN_PROGRESS']],
  ['a stack being removed is waited for, then applied', updating, removing, ['wait', 'IN_PROGRESS']],
  [
    'a settled stack that vanished is not re-created without a request',
    reached,
    absent,
    ['give-up', 'FAILED', /outside Almanac/],
  ],
  [
    'a settled stack that the vendor works on keeps its status',
    reached,
    applying('v1'),
    ['wait', 'unchanged'],
  ],
  ['an update of a stack that is blocked is tried once', updating, blocked('v1'), ['apply', 'IN_PROGRESS']],
  [
    'an update of a stack that is still blocked is given up',
    { ...updating, tried: true },
    blocked('v1'),
    ['give-up', 'FAILED', /limit reached/],
  ],
  ['a cancelled update in progress is stopped', cancelling, applying('v2'), ['cancel', 'IN_PROGRESS']],
  [
    'a cancelled update that is being undone is waited for',
    cancelling,
    applying('v1'),
    ['wait', 'unchanged'],
  ],
  [
    'a deletion in progress is waited for, and not stopped as if it were the cancelled update',
    cancelling,
    removing,
    ['wait', 'unchanged'],
  ],
  ['a cancelled update that was undone is complete', cancelling, settled('v1'), ['nothing', 'COMPLETE']],
  [
    'a cancelled update that was complete first is changed back if nothing is lost',
    cancelling,
    settled('v2'),
    ['apply', 'IN_PROGRESS'],
  ],
  [
    'a cancelled update that was complete first and removed data is given up: going back takes another request',
    cancellingLoss,
    settled('v2'),
    ['give-up', 'FAILED', /Database main is gone\. Roll back to version v1/],
  ],
  [
    'a cancelled update of which the first of two steps was complete and removed data is given up too',
    cancellingLoss,
    settled('v2/recreating'),
    ['give-up', 'FAILED', /Database main is gone/],
  ],
  [
    'a cancelled update that fails by itself is changed back',
    cancellingLoss,
    broken('v2'),
    ['apply', 'IN_PROGRESS'],
  ],
  ['an unfinished create continues', wanted, unfinished('v1'), ['apply', 'IN_PROGRESS']],
  ['a settled stack that needs repair keeps its status', reached, unfinished('v1'), ['apply', 'unchanged']],
  ['a deletion continues if it is unfinished', deleting, unfinished('v1'), ['remove', 'IN_PROGRESS']],
  ['a settled stack that is still there is left alone', reached, settled('v1'), ['nothing', 'COMPLETE']],
  ['a deletion removes a settled stack', deleting, settled('v1'), ['remove', 'IN_PROGRESS']],
  ['a deletion interrupts a create', deleting, applying('v1'), ['remove', 'IN_PROGRESS']],
  ['a deletion removes the rest of a failed create', deleting, broken('v1'), ['remove', 'IN_PROGRESS']],
  ['a deletion in progress is waited for', deleting, removing, ['wait', 'IN_PROGRESS']],
  [
    'a deletion of a stack that never existed is requested once: resources outside the stack may exist',
    deleting,
    absent,
    ['remove', 'IN_PROGRESS'],
  ],
  ['a requested deletion is complete when all is gone', triedDeletion, absent, ['nothing', 'COMPLETE']],
  ['a deletion goes on while something is left', triedDeletion, left, ['remove', 'IN_PROGRESS']],
  ['a vanished stack stays so if something is left', reached, left, ['give-up', 'FAILED', /outside Almanac/]],
  [
    'a deletion that the vendor delays is requested again',
    { ...deleting, tried: true },
    applying('v1'),
    ['remove', 'IN_PROGRESS'],
  ],
  [
    'a deletion that failed is given up',
    { ...deleting, tried: true },
    removalBroken,
    ['give-up', 'FAILED', /in use/],
  ],
  ['a repeated deletion is retried', deleting, removalBroken, ['remove', 'IN_PROGRESS']],
  [
    'a deletion that the vendor refused is given up',
    { ...deleting, refusal: 'locked' },
    settled('v1'),
    ['give-up', 'FAILED', /locked/],
  ],
  [
    'a refused deletion of a stack that is gone is given up: resources outside the stack may be left',
    { ...deleting, refusal: 'locked' },
    absent,
    ['give-up', 'FAILED', /locked/],
  ],
  [
    'a create keeps its status while the vendor is unreachable',
    wanted,
    unreachable,
    ['wait', 'unchanged', /timed out/],
  ],
  [
    'a deletion keeps its status while the vendor is unreachable',
    deleting,
    unreachable,
    ['wait', 'unchanged', /timed out/],
  ],
];

describe('decide', () => {
  it.each(situations)('%s', (_situation, desired, seen, [step, phase, reason]) => {
    const decision = decide(desired, seen);
    expect({ step: decision.step, phase: decision.phase }).toEqual({ step, phase });
    if (reason) expect(decision.reason).toMatch(reason);
  });

  it('never looks again at a deleted stack, and always at any other', () => {
    for (const [situation, desired, seen] of situations) {
      const { lookAgainMs, phase } = decide(desired, seen);
      const gone = desired.operation === 'DELETE' && phase === 'COMPLETE';
      expect(lookAgainMs === null, situation).toBe(gone);
    }
  });

  it('looks again when the vendor says so, also at a settled stack', () => {
    const replacing = { ...settled('v1'), lookAgainMs: 77 } as Observation;
    expect(decide(reached, replacing)).toMatchObject({ phase: 'COMPLETE', lookAgainMs: 77 });
    expect(decide(wanted, { ...applying('v1'), lookAgainMs: 123 } as Observation).lookAgainMs).toBe(123);
  });

  it('retries an unreachable vendor with growing delays, at least every minute', () => {
    const waits = [0, 1, 2, 3, 50].map(
      (failures) => decide({ ...wanted, failures }, unreachable).lookAgainMs,
    );
    expect(waits).toEqual([1000, 2000, 4000, 8000, 60_000]);
    expect(backOffMs(1000)).toBe(60_000);
  });
});
