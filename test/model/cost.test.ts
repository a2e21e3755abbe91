import { describe, expect, it } from 'vitest';
import { type Billable, estimateCost, type PriceSheet } from '../../src/model/cost.ts';

const sheet = (offer: string, date: string, prices: PriceSheet['prices']): PriceSheet => ({
  region: 'us-east-1',
  offer,
  currency: 'USD',
  date,
  prices,
});

const sheets = [sheet('servers', '2026-09-01', { small: 2 }), sheet('disks', '2026-08-31', { disk: 0.5 })];

const resource = (
  name: string,
  ...charges: [item: string, atMinimum: number, atMaximum?: number][]
): Billable => ({
  resource: name,
  resourceType: 'Thing',
  charges: charges.map(([item, atMinimum, atMaximum = atMinimum]) => ({ item, atMinimum, atMaximum })),
});

const exactly = (atMinimum: number, atMaximum = atMinimum) => ({ atMinimum, atMaximum, unknown: 'none' });

describe('the cost of a stack', () => {
  it('a new stack has no cost before, and its difference is all of its cost', () => {
    const estimate = estimateCost(sheets, null, [resource('one', ['small', 10], ['disk', 4])]);
    expect(estimate).toMatchObject({
      currency: 'USD',
      before: null,
      after: exactly(22),
      difference: exactly(22),
    });
  });

  it('the date is that of the oldest prices used, and null if none is used', () => {
    expect(estimateCost(sheets, null, [resource('one', ['small', 1])]).date).toBe('2026-09-01');
    expect(estimateCost(sheets, null, [resource('one', ['small', 1], ['disk', 1])]).date).toBe('2026-08-31');
    expect(estimateCost(sheets, null, [resource('one', ['huge', 1])]).date).toBeNull();
  });

  it('added, removed and changed resources each have their own difference', () => {
    const before = [resource('kept', ['small', 1]), resource('removed', ['disk', 2])];
    const after = [resource('kept', ['small', 3]), resource('added', ['disk', 8])];
    const { resources, difference } = estimateCost(sheets, before, after);
    expect(resources).toMatchObject([
      { resource: 'kept', before: exactly(2), after: exactly(6), difference: exactly(4) },
      { resource: 'added', before: null, after: exactly(4), difference: exactly(4) },
      { resource: 'removed', before: exactly(1), after: null, difference: exactly(-1) },
    ]);
    expect(difference).toEqual(exactly(7));
  });

  it('a group has the cost of its minimum and of its maximum size', () => {
    const { after } = estimateCost(sheets, null, [resource('group', ['small', 1, 4])]);
    expect(after).toEqual(exactly(2, 8));
  });
});

describe('prices that are not known', () => {
  it('make the resource and the total incomplete, and are named, never guessed', () => {
    const { resources, after } = estimateCost(sheets, null, [
      resource('mixed', ['small', 1], ['huge', 1]),
      resource('unpriced', ['huge', 1]),
    ]);
    expect(resources).toMatchObject([
      { after: { atMinimum: 2, unknown: 'part' }, unpriced: ['huge'] },
      { after: { atMinimum: 0, unknown: 'all' }, unpriced: ['huge'] },
    ]);
    expect(after).toEqual({ atMinimum: 2, atMaximum: 2, unknown: 'part' });
  });

  it('do not matter to the difference if their amount does not change', () => {
    const before = [resource('one', ['huge', 1], ['small', 1])];
    const { difference } = estimateCost(sheets, before, [resource('one', ['huge', 1], ['small', 2])]);
    expect(difference).toEqual(exactly(2));
  });

  it('make the difference unknown if their amount changes', () => {
    const { difference } = estimateCost(
      sheets,
      [resource('one', ['huge', 1])],
      [resource('one', ['huge', 2])],
    );
    expect(difference.unknown).toBe('all');
  });

  it('do not matter if nothing of them is used', () => {
    expect(estimateCost(sheets, null, [resource('none', ['huge', 0], ['small', 1])]).after).toEqual(
      exactly(2),
    );
  });

  it('an item named like a member of every object has no price', () => {
    expect(estimateCost(sheets, null, [resource('odd', ['constructor', 1])]).after.unknown).toBe('all');
  });
});
