import { describe, expect, it } from 'vitest';
import { endingLines } from '../../../src/cli/follow/ending.ts';
import { failureOf } from '../../../src/cli/follow/outcome.ts';
import type { Rollout, StackState } from '../../../src/cli/follow/stack-calls.ts';
import { instanceOf, rolloutOf } from './rollout.ts';
import { stackEvent } from './stack-event.ts';

const state = (status: string, versionId: string): StackState => ({
  status,
  versionId,
  reason: '',
  outputs: [],
});

describe('a wait for a rollout that fails', () => {
  const target = { stackId: 'mo-1', versionId: 'two' };
  const began = stackEvent({ kind: 'request', status: 'UPDATE_IN_PROGRESS', version_id: 'two' });
  const reason = 'Instance i-1: The container exited with code 3.';
  const failing = { version_id: 'two', revision: 2, reason, last_lines: 'first\nlast\n' } as const;
  const failureWith = (at: StackState, ...rollouts: Rollout[]) =>
    failureOf(target, { state: { ...at, nickname: 'shop' }, began, latest: began, rollouts });

  it('after a return ends with 3, the reason, the last lines, what keeps serving and the next commands', () => {
    const at = { ...state('UPDATE_FAILED', 'three'), reason };
    const failure = failureWith(
      at,
      rolloutOf({ version_id: 'three', revision: 3, image: 'shop:1', state: 'serving' }),
      rolloutOf({ ...failing, state: 'returned' }),
    );
    expect(failure).toMatchObject({
      code: 3,
      message: `Stack mo-1 is UPDATE_FAILED: ${reason}`,
      lines: ['Last lines of the container:', '  first', '  last', 'shop:1 keeps serving.'],
      hints: ['alm rollout show shop', 'alm logs shop'],
    });
  });

  it('without a return names what the instances serve', () => {
    const instances = [
      instanceOf({ serving_revision: 1, image: 'shop:0' }),
      instanceOf({ serving_revision: 0 }),
    ];
    const at = { ...state('UPDATE_FAILED', 'two'), reason };
    const failure = failureWith(at, rolloutOf({ ...failing, state: 'failing', instances }));
    expect(failure?.lines.at(-1)).toBe('shop:0 keeps serving.');
  });

  it('has the reason of the rollout if the stack has none, and does not blame another change', () => {
    const failure = failureWith(
      state('UPDATE_COMPLETE', 'three'),
      rolloutOf({ ...failing, state: 'returned' }),
    );
    expect([failure?.code, failure?.message]).toEqual([3, `Stack mo-1 is UPDATE_COMPLETE: ${reason}`]);
  });

  it('does not fail because of an earlier version, or of one that a newer one replaced', () => {
    const others = [
      rolloutOf({ version_id: 'one', revision: 1, state: 'returned' }),
      rolloutOf({ version_id: 'two', state: 'serving' }),
    ];
    expect(failureWith(state('UPDATE_COMPLETE', 'two'), ...others)).toBeNull();
  });
});

describe('the last line of a wait on a terminal', () => {
  const end = (more: Partial<StackState>, columns = 80) =>
    endingLines(
      { stackId: 'mo-1' },
      { state: { ...state('CREATE_COMPLETE', 'one'), nickname: 'shop', ...more } },
      columns,
    );
  const outputs = [{ OutputKey: 'Address', OutputValue: '203.0.113.7' }];
  const layer = (members: object) => ({ configurations: [members] });

  it.each<[string, object, string]>([
    [
      'a balancer with HTTP',
      layer({ provision: { load_balancer: { listeners: [{ protocol: 'HTTP' }] } } }),
      'http://',
    ],
    [
      'one with HTTPS',
      layer({ provision: { load_balancer: { listeners: [{ Protocol: 'https' }] } } }),
      'https://',
    ],
    ['one with TCP', layer({ provision: { load_balancer: { listeners: [{ protocol: 'TCP' }] } } }), ''],
    ['a container with port 80', layer({ container: { container_ports: [80] } }), 'http://'],
    ['no port that is known', layer({}), ''],
  ])('of %s has the name, the address and the next commands', (_, configuration, scheme) => {
    expect(end({ outputs, configuration, health: 'serving' })).toEqual([
      `shop is up: ${scheme}203.0.113.7 — alm logs shop, alm open shop`,
    ]);
  });

  it('has no logs without an application, and two lines on a narrow terminal', () => {
    expect(end({ outputs, health: 'none' }, 39)).toEqual(['shop is up: 203.0.113.7', '→ alm open shop']);
    expect(end({ nickname: "ann's shop", health: 'none' })).toEqual([
      "ann's shop is up — alm open 'ann'\\''s shop'",
    ]);
    expect(end({ status: 'DELETE_COMPLETE' })).toEqual(['shop is deleted.']);
  });
});
