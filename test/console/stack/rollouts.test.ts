import { describe, expect, it } from 'vitest';
import type { Rollout, RolloutInstance } from '../../../src/console/stack/data/rollouts.ts';
import {
  applicationsOf,
  countWords,
  instanceWords,
  isBackInPlace,
  layersNow,
} from '../../../src/console/stack/rollouts/layers.ts';

const instance = (
  instance_id: string,
  state: RolloutInstance['state'],
  changes: Partial<RolloutInstance> = {},
): RolloutInstance => ({
  instance_id,
  address: '10.0.0.4',
  revision: 2,
  serving_revision: state === 'serving' ? 2 : 0,
  state,
  since: null,
  reason: '',
  last_lines: '',
  image: '',
  digest: '',
  reported_at: null,
  ...changes,
});

const rollout = (changes: Partial<Rollout> = {}): Rollout => ({
  stack_id: 'mo-1',
  flag: 'web',
  revision: 2,
  version_id: 'v2',
  image: 'shop:2',
  cause: '',
  state: 'serving',
  began_at: '2030-01-01T00:00:00Z',
  deadline_at: null,
  ended_at: '2030-01-01T00:01:00Z',
  wanted: 2,
  serving: 2,
  failing: 0,
  reason: '',
  last_lines: '',
  instances: [instance('i-1', 'serving'), instance('i-2', 'serving')],
  ...changes,
});

const wordOf = (changes: Partial<Rollout>) => layersNow([rollout(changes)])[0]?.reading.word;

describe('the layers of the rollout strip', () => {
  it('are those that have a container now, each with its newest rollout', () => {
    const layers = layersNow([
      rollout({ flag: 'web', revision: 3 }),
      rollout({ flag: 'api', instances: [], ended_at: null, state: 'rolling', wanted: 3, serving: 1 }),
      rollout({ flag: 'web', revision: 2, instances: [] }),
      // Its container was removed from the template.
      rollout({ flag: 'old', instances: [] }),
    ]);
    expect(layers.map((layer) => [layer.rollout.flag, layer.rollout.revision, countWords(layer)])).toEqual([
      ['api', 2, '1 of 3 serves'],
      ['web', 3, '2 of 2 serve'],
    ]);
  });

  it('say what the instances do since a rollout succeeded, and never "serving" by silence', () => {
    const serving = instance('i-1', 'serving');
    expect(wordOf({})).toBe('Serving');
    expect(wordOf({ instances: [serving, instance('i-2', 'failing')] })).toBe('Degraded');
    expect(wordOf({ instances: [instance('i-2', 'failing')] })).toBe('Down');
    expect(wordOf({ instances: [serving, instance('i-2', 'unknown')] })).toBe('Unknown');
    expect(wordOf({ instances: [serving, instance('i-2', 'starting')] })).toBe('Starting');
    expect(wordOf({ state: 'failing' })).toBe('Failing');
  });

  it('name the version that failed and was returned, until the next deployment', () => {
    const failed = rollout({ state: 'returned', instances: [] });
    const copy = rollout({ revision: 3, version_id: 'v3' });
    expect(layersNow([copy, failed])[0]?.returned).toBe(failed);
    expect(isBackInPlace([copy, failed], 'v3')).toBe(true);
    expect(isBackInPlace([copy, failed], 'v2')).toBe(false);
    expect(isBackInPlace([{ ...copy, state: 'rolling' }, failed], 'v3')).toBe(false);
    const next = rollout({ revision: 4, version_id: 'v4' });
    expect(layersNow([next, copy, failed])[0]?.returned).toBeNull();
    expect(isBackInPlace([next, copy, failed], 'v4')).toBe(false);
  });

  it('tell which instances keep serving the container before', () => {
    const failing = instance('i-1', 'failing', { serving_revision: 1 });
    expect(instanceWords(failing, 2)).toBe('does not serve it, and keeps serving the one before');
    expect(instanceWords(instance('i-1', 'failing'), 2)).toBe('does not serve');
    expect(instanceWords(instance('i-1', 'unknown', { serving_revision: 1 }), 2)).toBe('does not report');
  });

  it('give each server of the picture what its application does', () => {
    const found = applicationsOf([rollout({ instances: [instance('i-1', 'failing')] })]);
    expect([...found].map(([id, { state }]) => [id, state])).toEqual([['i-1', 'failing']]);
  });
});
