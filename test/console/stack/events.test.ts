import { describe, expect, it } from 'vitest';
import {
  byOperation,
  completeBefore,
  firstFailure,
  keptEvents,
  lastCompleteVersion,
  outcomeOf,
  summaryOf,
  withNewer,
} from '../../../src/console/stack/data/event-list.ts';
import { countOf, timeLeft } from '../../../src/console/stack/now/progress-of.ts';
import { event, resource } from '../picture/some-resources.ts';

describe('events from a stream', () => {
  const [first, second, third] = [event(1), event(2), event(3)];

  it('are kept once each, in order, even if a connection repeats some', () => {
    expect(withNewer([first, second], [second, third])).toEqual([first, second, third]);
    expect(withNewer([first], [third, second])).toEqual([first, second, third]);
  });

  it('change nothing if all are known, so that nothing is drawn again', () => {
    const known = [first, second];
    expect(withNewer(known, [first])).toBe(known);
  });

  it('are limited: the oldest go', () => {
    const many = Array.from({ length: keptEvents + 5 }, (_, index) => event(index));
    const kept = withNewer([], many);
    expect([kept.length, kept[0]?.event_id]).toEqual([keptEvents, many[5]?.event_id]);
  });
});

describe('the story of a stack', () => {
  const story = [
    event(0, { kind: 'request', status: 'CREATE_IN_PROGRESS' }),
    event(1, { kind: 'status', status: 'CREATE_COMPLETE', version_id: 'v1' }),
    event(2, { kind: 'request', status: 'UPDATE_IN_PROGRESS', version_id: 'v2' }),
    event(2, { kind: 'request', status: '', message: 'a note', version_id: 'v2' }),
    event(3, { resource: 'A', status: 'UPDATE_FAILED', message: 'No room' }),
    event(4, { resource: 'B', status: 'UPDATE_FAILED', message: 'Cancelled' }),
    event(5, { kind: 'status', status: 'UPDATE_FAILED', version_id: 'v2' }),
  ];

  it('is split where something was asked for, newest first', () => {
    expect(byOperation(story).map(({ request, events }) => [request.version_id, events.length])).toEqual([
      ['v2', 5],
      ['v1', 2],
    ]);
  });

  it('tells the first resource that failed, and the version that was complete last', () => {
    expect(firstFailure(story)).toMatchObject({ resource: 'A', message: 'No room' });
    expect(lastCompleteVersion(story)).toBe('v1');
  });

  it('tells what was complete before a version was asked for, whatever happens later', () => {
    const later = event(9, { kind: 'status', status: 'UPDATE_COMPLETE', version_id: 'v2' });
    expect(completeBefore(story, 'v2')).toBe('v1');
    expect(completeBefore([...story, later], 'v2')).toBe('v1');
    expect(completeBefore(story, 'v3')).toBeNull();
  });

  it('tells how each version ended and how long it took, as far as its events are known', () => {
    const cancelled = [
      ...story,
      event(6, { kind: 'request', status: 'UPDATE_IN_PROGRESS', version_id: 'v3' }),
      event(8, { kind: 'request', status: 'UPDATE_IN_PROGRESS', version_id: 'v1' }),
      event(9, { kind: 'status', status: 'UPDATE_COMPLETE', version_id: 'v1' }),
      event(10, { kind: 'request', status: 'UPDATE_IN_PROGRESS', version_id: 'v4' }),
    ];
    expect(['v1', 'v2', 'v3', 'v4', 'v0'].map((version) => outcomeOf(cancelled, version))).toEqual([
      { end: 'complete', took: 1000 },
      { end: 'failed', took: 3000 },
      { end: 'left', took: null },
      { end: 'running', took: null },
      null,
    ]);
  });

  it('is read aloud as ends of operations only', () => {
    expect(story.map(summaryOf).filter(Boolean)).toEqual(['Create complete', 'Update failed']);
  });
});

describe('the time that is left', () => {
  it('is up to the usual time, then up to the longest, then not promised', () => {
    const usual = { p50: 100, p90: 200 };
    expect([50, 150, 250].map((elapsed) => timeLeft(elapsed, usual))).toEqual([
      { kind: 'left', left: 50 },
      { kind: 'left', left: 50 },
      { kind: 'late', left: 0 },
    ]);
    expect(timeLeft(50, { p50: null, p90: null }).kind).toBe('unknown');
  });
});

it('progress counts the resources that the operation touches, not those it leaves alone', () => {
  const events = [
    event(0, { kind: 'request', status: 'UPDATE_IN_PROGRESS' }),
    event(1, { resource: 'Done', status: 'UPDATE_COMPLETE' }),
  ];
  const resources = [
    resource('Done'),
    resource('Untouched'),
    resource('Busy', { status: 'updating' }),
    resource('Next', { status: 'waiting' }),
  ];
  expect(countOf(resources, events)).toEqual({ done: 1, total: 3 });
});
