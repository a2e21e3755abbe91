import { describe, expect, it } from 'vitest';
import { visibleRange } from '../../../src/console/lists/visible-range.ts';
import { ago, span, timeOfDay } from '../../../src/console/parts/reading/time-words.ts';
import { readStatus } from '../../../src/console/parts/status/status.ts';
import { stackStatuses } from '../../../src/model/status.ts';

describe('a status', () => {
  it('reads as a word and a tone, for every status of a stack', () => {
    expect(
      Object.fromEntries(
        stackStatuses.map((status) => [status, Object.values(readStatus(status)).join(': ')]),
      ),
    ).toMatchInlineSnapshot(`
        {
          "CREATE_COMPLETE": "good: Complete",
          "CREATE_FAILED": "bad: Create failed",
          "CREATE_IN_PROGRESS": "work: Creating",
          "DELETE_COMPLETE": "none: Deleted",
          "DELETE_FAILED": "bad: Delete failed",
          "DELETE_IN_PROGRESS": "work: Deleting",
          "UPDATE_COMPLETE": "good: Complete",
          "UPDATE_FAILED": "bad: Update failed",
          "UPDATE_IN_PROGRESS": "work: Updating",
        }
      `);
  });

  it('that is unknown is shown in its own words', () => {
    expect(readStatus('SOMETHING_NEW')).toEqual({ tone: 'none', word: 'Something new' });
  });
});

describe('a time', () => {
  it.each([
    [3, 'just now'],
    [40, '40 seconds ago'],
    [245, '4 minutes ago'],
    [7300, '2 hours ago'],
    [90_000, 'yesterday'],
    [6 * 86_400, '6 days ago'],
    [60, '1 minute ago'],
    [3600, '1 hour ago'],
    [8 * 86_400, 'last week'],
    [40 * 86_400, 'last month'],
    [800 * 86_400, '2 years ago'],
    [-7300, 'in 2 hours'],
    [-90_000, 'tomorrow'],
  ])('%i seconds before now is "%s"', (seconds, words) => {
    expect(ago(0, seconds * 1000)).toBe(words);
  });

  it('of the day has two digits for each part', () => {
    expect(timeOfDay(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe('03:04:05');
    expect(timeOfDay(new Date(2026, 0, 2, 0, 0, 0).getTime())).toBe('00:00:00');
  });

  it.each([
    [400, '0 s'],
    [9000, '9 s'],
    [100_000, '1 min 40 s'],
    [120_000, '2 min'],
    [3_700_000, '1 h 1 min'],
  ])('%i ms last "%s"', (milliseconds, words) => {
    expect(span(milliseconds)).toBe(words);
  });
});

describe('the window of a long list', () => {
  it('has the rows on the screen and 12 more at each edge, and never a row that does not exist', () => {
    expect(visibleRange({ top: -6000, screen: 900, rowHeight: 60, count: 1000 })).toEqual([88, 127]);
    expect(visibleRange({ top: 200, screen: 900, rowHeight: 60, count: 5 })).toEqual([0, 5]);
    expect(visibleRange({ top: -90_000, screen: 900, rowHeight: 60, count: 10 })).toEqual([10, 10]);
    expect(visibleRange({ top: -6000, screen: 900, rowHeight: 60, count: 1000 }, 0)).toEqual([100, 115]);
  });
});
