import { describe, expect, it } from 'vitest';
import { withChanges } from '../../../src/console/stacks/changes.ts';
import { byUrgency, inView, matching, placeOf } from '../../../src/console/stacks/filter.ts';
import { timeLeft } from '../../../src/console/stacks/time-left.ts';
import type { StackSummary } from '../../../src/contract/v3/schemas/stack-summary.ts';

const row = (stack_id: string, changes: Partial<StackSummary> = {}): StackSummary => ({
  stack_id,
  nickname: `stack-${stack_id}`,
  stack_status: 'CREATE_COMPLETE',
  stack_status_reason: '',
  health: 'none',
  health_reason: '',
  doing: '',
  doing_reason: '',
  username: 'root',
  vendor: 'aws',
  region: 'ap-northeast-1',
  cred: 'ABCD',
  interface: 'v3',
  instances: { running: 1, wanted: 1 },
  drift: null,
  version: { version_id: 'v', label: 'first', last_modified: '', created_by: 'ann' },
  create_time: '',
  update_time: '',
  operation: null,
  ...changes,
});

const ids = (rows: readonly StackSummary[]): string => rows.map((each) => each.stack_id).join('');

describe('the list after changes', () => {
  const rows = [row('a'), row('b'), row('c')];

  it('replaces changed rows in place, removes deleted ones and puts new ones first', () => {
    const changed = withChanges(rows, [
      { stackId: 'b', row: row('b', { nickname: 'new name' }) },
      { stackId: 'a', row: null },
      { stackId: 'd', row: row('d') },
    ]);
    expect(ids(changed)).toBe('dbc');
    expect(changed[1]?.nickname).toBe('new name');
  });

  it('has the last of several changes of one stack, and a stack that came and went is not in it', () => {
    const changed = withChanges(rows, [
      { stackId: 'a', row: row('a', { region: 'one' }) },
      { stackId: 'a', row: row('a', { region: 'two' }) },
      { stackId: 'e', row: row('e') },
      { stackId: 'e', row: null },
    ]);
    expect(ids(changed)).toBe('abc');
    expect(changed[0]?.region).toBe('two');
  });
});

describe('filters', () => {
  const rows = [
    row('a'),
    row('b', { drift: { state: 'drifted', checked_at: null }, vendor: 'docker' }),
    row('c', { stack_status: 'UPDATE_IN_PROGRESS', username: 'jun' }),
    row('d', { stack_status: 'DELETE_FAILED', nickname: 'Billing' }),
  ];

  it('a view has what its name says; what needs attention is what failed or drifted', () => {
    expect(ids(inView(rows, 'attention'))).toBe('bd');
    expect(ids(inView(rows, 'working'))).toBe('c');
    expect(ids(inView(rows, 'drifted'))).toBe('b');
  });

  it('a stack whose application does not serve needs attention and comes first, unless it is being created', () => {
    const some = [
      row('a', { health: 'serving' }),
      row('b', { health: 'down', stack_status: 'CREATE_IN_PROGRESS' }),
      row('c', { health: 'degraded' }),
      row('d', { health: 'unknown' }),
    ];
    expect(ids(inView(some, 'attention'))).toBe('c');
    expect(ids(byUrgency(some))).toBe('cbad');
    expect(ids(matching(some, 'health:unknown'))).toBe('d');
  });

  it('every word must match: a name, or one field', () => {
    expect(ids(matching(rows, 'bill'))).toBe('d');
    expect(ids(matching(rows, 'vendor:docker'))).toBe('b');
    expect(ids(matching(rows, 'by:jun stack'))).toBe('c');
    expect(ids(matching(rows, 'by:jun docker'))).toBe('');
    expect(ids(matching(rows, '  '))).toBe('abcd');
  });

  it('a stack in the sandbox is found by it, and by the vendor whose place it takes', () => {
    const both = [row('a', { cred: 'SANDBOX' }), row('b')];
    expect(ids(matching(both, 'vendor:sandbox'))).toBe('a');
    expect(ids(matching(both, 'vendor:aws'))).toBe('ab');
    expect(both.map(placeOf)).toEqual(['sandbox · ap-northeast-1', 'aws · ap-northeast-1']);
  });

  it('failures come first, then what works, then what drifted', () => {
    expect(ids(byUrgency(rows))).toBe('dcba');
  });
});

describe('the time left', () => {
  const operation = {
    kind: 'UPDATE',
    started_at: '2030-01-01T00:00:00+00:00',
    requested_by: 'ann',
    expected: { p50_seconds: 100, p90_seconds: 200 },
  } as const;
  const at = (seconds: number) => timeLeft(operation, Date.parse(operation.started_at) + seconds * 1000);

  it('counts to the usual end, then says so, and never claims to be done', () => {
    expect(at(40)).toEqual({ words: '1 min left', usual: 'usually 1 min 40 s–3 min 20 s', done: 0.4 });
    expect(at(150).words).toBe('almost done');
    expect(at(300)).toMatchObject({ words: 'longer than usual', done: 0.97 });
  });

  it('is the time that passed if nothing is known', () => {
    expect(timeLeft({ ...operation, expected: null }, Date.parse(operation.started_at) + 9000).words).toBe(
      'for 9 s',
    );
  });
});
