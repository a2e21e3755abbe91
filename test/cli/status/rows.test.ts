import { describe, expect, it } from 'vitest';
import { KnownStacks } from '../../../src/cli/commands/status/known-stacks.ts';
import { byUrgency, countText, detailOf } from '../../../src/cli/commands/status/rows.ts';
import type { StackSummary } from '../../../src/contract/v3/schemas/stack-summary.ts';

const now = Date.parse('2030-01-01T00:01:00Z');

const summary = (stack_id: string, more: Partial<StackSummary> = {}): StackSummary => ({
  stack_id,
  nickname: stack_id,
  stack_status: 'CREATE_COMPLETE',
  stack_status_reason: '',
  health: 'none',
  health_reason: '',
  doing: '',
  doing_reason: '',
  username: 'root',
  vendor: 'aws',
  cred: 'SANDBOX',
  region: '',
  interface: 'v3',
  instances: { running: 1, wanted: 1 },
  drift: null,
  version: { version_id: 'v', label: '', last_modified: '', created_by: 'root' },
  create_time: '2030-01-01T00:00:00+00:00',
  update_time: '2030-01-01T00:00:00+00:00',
  operation: null,
  ...more,
});

const working = (expected: { p50_seconds: number; p90_seconds: number } | null): StackSummary =>
  summary('working', {
    stack_status: 'UPDATE_IN_PROGRESS',
    operation: { kind: 'UPDATE', started_at: '2030-01-01T00:00:00+00:00', requested_by: 'ann', expected },
  });

describe('the order and the details of alm status', () => {
  it('failed stacks come first, then operations in progress, drifted stacks and the others', () => {
    const drifted = summary('drifted', {
      drift: { state: 'drifted', checked_at: '2030-01-01T00:00:00+00:00' },
    });
    const failed = summary('failed', { stack_status: 'DELETE_FAILED', stack_status_reason: 'In use.' });
    const stacks = [summary('one'), drifted, summary('two'), working(null), failed];
    const ids = byUrgency(stacks).map((stack) => stack.stack_id);
    expect(ids).toEqual(['failed', 'working', 'drifted', 'one', 'two']);
    expect(countText(stacks)).toBe('1 failed, 1 in progress, 1 drifted, 2 complete');
    expect(detailOf(failed, now)).toBe('In use.');
    expect(detailOf(drifted, now)).toBe('drifted, checked Tue, 01 Jan 2030 00:00:00 +0000');
  });

  it.each([
    [{ p50_seconds: 160, p90_seconds: 200 }, '1 min 40 s left, by ann'],
    [{ p50_seconds: 50, p90_seconds: 60 }, 'almost done, by ann'],
    [{ p50_seconds: 10, p90_seconds: 20 }, 'longer than usual: for 1 min 00 s, by ann'],
    [null, 'for 1 min 00 s, by ann'],
  ])('after a minute of an operation that usually takes %o it shows "%s"', (expected, shown) => {
    expect(detailOf(working(expected), now)).toBe(shown);
  });

  it('a stack that is undone shows the cause and how far it is, instead of a time', () => {
    const undone = {
      doing: 'undoing',
      doing_reason: 'VPC: The quota is used up. (11 of 15 removed)',
    } as const;
    const shown = 'Undoing: VPC: The quota is used up. (11 of 15 removed)';
    expect(detailOf({ ...working(null), ...undone }, now)).toBe(shown);
    expect(detailOf(summary('outside', undone), now)).toBe(shown);
  });
});

describe('the known stacks of alm status --watch', () => {
  it('ignores a state that is sent again, and takes a stack that is missing in a new list as deleted', () => {
    const known = new KnownStacks();
    const [one, two] = [summary('one'), summary('two')];
    expect(known.apply({ kind: 'list', stacks: [one, two] })).toHaveLength(2);
    expect(known.apply({ kind: 'change', stackId: 'one', stack: { ...one } })).toEqual([]);
    const changed = summary('one', { stack_status: 'UPDATE_FAILED' });
    expect(known.apply({ kind: 'change', stackId: 'one', stack: changed })).toEqual([
      { stackId: 'one', stack: changed },
    ]);
    expect(known.apply({ kind: 'list', stacks: [changed] })).toEqual([{ stackId: 'two', stack: null }]);
    expect(known.apply({ kind: 'change', stackId: 'one', stack: null })).toEqual([
      { stackId: 'one', stack: null },
    ]);
    expect(known.all).toEqual([]);
  });
});
