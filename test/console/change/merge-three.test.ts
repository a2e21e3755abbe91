import { describe, expect, it } from 'vitest';
import { mergeThree } from '../../../src/console/change/overtaken/merge-three.ts';

const layer = (flag: string, count: number, more: object = {}) => ({
  flag,
  provision: { count, type: 'small', ...more },
});
const base = { label: 'first', configurations: [layer('A', 1), layer('B', 1)] };

describe('two changes of one template', () => {
  it('are combined if they are in different places', () => {
    const mine = { ...base, configurations: [layer('A', 3), layer('B', 1)] };
    const theirs = { label: 'second', configurations: [layer('A', 1, { type: 'large' }), layer('B', 1)] };
    expect(mergeThree({ base, mine, theirs })).toEqual({
      document: { label: 'second', configurations: [layer('A', 3, { type: 'large' }), layer('B', 1)] },
      conflicts: [],
    });
  });

  it('are named where both changed the same in another way, and mine stays', () => {
    const mine = { ...base, configurations: [layer('A', 3), layer('B', 1)] };
    const theirs = { ...base, configurations: [layer('A', 5), layer('B', 1)] };
    const { document, conflicts } = mergeThree({ base, mine, theirs });
    expect(conflicts).toEqual(['configurations/A/provision/count']);
    expect(document).toEqual(mine);
  });

  it('keep a layer that one added and leave out one that the other removed', () => {
    const mine = { ...base, configurations: [layer('A', 1), layer('B', 1), layer('C', 1)] };
    const theirs = { ...base, configurations: [layer('A', 1)] };
    expect(mergeThree({ base, mine, theirs }).document).toEqual({
      ...base,
      configurations: [layer('A', 1), layer('C', 1)],
    });
  });

  it('do not conflict if both changed the same in the same way', () => {
    const changed = { ...base, label: 'other' };
    expect(mergeThree({ base, mine: changed, theirs: changed })).toEqual({
      document: changed,
      conflicts: [],
    });
  });
});
