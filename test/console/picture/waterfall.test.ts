import { describe, expect, it } from 'vitest';
import { withEvents } from '../../../src/console/picture/resource.ts';
import { waterfall } from '../../../src/console/picture/waterfall.ts';
import { at, event, resource } from './some-resources.ts';

const creating = (name: string, second: number) =>
  event(second, { resource: name, status: 'CREATE_IN_PROGRESS' });
const created = (name: string, second: number) =>
  event(second, { resource: name, status: 'CREATE_COMPLETE' });
const asked = (second: number) => event(second, { kind: 'request', status: 'CREATE_IN_PROGRESS' });

describe('where the time goes', () => {
  it('has a bar for each resource, from its first event to its last', () => {
    const events = [asked(0), creating('A', 1), created('A', 4), creating('B', 4)];
    const { bars, length } = waterfall({ events, resources: [], usual: null, now: at(10) });
    expect(bars).toEqual([
      { name: 'A', from: 1000, to: 4000, tone: 'good', isExpected: false },
      { name: 'B', from: 4000, to: 10_000, tone: 'work', isExpected: false },
    ]);
    expect(length).toBe(10_000);
  });

  it('shows the last operation only', () => {
    const events = [asked(0), creating('A', 1), created('A', 4), asked(60), creating('B', 61)];
    const { bars } = waterfall({ events, resources: [], usual: null, now: at(62) });
    expect(bars.map(({ name, from }) => [name, from])).toEqual([['B', 1000]]);
  });

  it('shows what is still to come in the order of dependencies, within the usual time', () => {
    const resources = [
      resource('C', { status: 'waiting', depends_on: ['B'] }),
      resource('B', { status: 'waiting', depends_on: ['A'] }),
    ];
    const { bars } = waterfall({ events: [asked(0)], resources, usual: 30_000, now: at(10) });
    expect(bars).toEqual([
      { name: 'B', from: 10_000, to: 20_000, tone: 'none', isExpected: true },
      { name: 'C', from: 20_000, to: 30_000, tone: 'none', isExpected: true },
    ]);
  });

  it('promises nothing when the operation takes longer than usual, or is over', () => {
    const resources = [resource('B', { status: 'waiting' })];
    const late = waterfall({ events: [asked(0)], resources, usual: 30_000, now: at(31) });
    const over = [asked(0), event(3, { kind: 'status', status: 'CREATE_FAILED' })];
    const ended = waterfall({ events: over, resources, usual: 30_000, now: at(10) });
    expect([late.bars, ended.bars]).toEqual([[], []]);
  });

  it('keeps a failure visible while the resource is removed again', () => {
    const failed = event(5, { resource: 'A', status: 'CREATE_FAILED' });
    const removed = event(8, { resource: 'A', status: 'DELETE_COMPLETE' });
    const { bars } = waterfall({
      events: [asked(0), creating('A', 1), failed, removed],
      resources: [],
      usual: null,
      now: at(9),
    });
    expect(bars).toMatchObject([{ name: 'A', tone: 'bad', from: 1000, to: 8000 }]);
  });
});

describe('the status of a resource', () => {
  it('follows events that are newer than the list, and no older ones', () => {
    const older = creating('A', 1);
    const newer = event(2, { resource: 'B', status: 'UPDATE_FAILED', message: 'No room' });
    const read = {
      stack_id: 'mo-1',
      stack_status: 'UPDATE_IN_PROGRESS' as const,
      operation: 'UPDATE' as const,
      version_id: 'v1',
      event_id: older.event_id,
      resources: [resource('A'), resource('B')],
    };
    expect(withEvents(read, [older, newer])).toMatchObject([
      { name: 'A', status: 'complete' },
      { name: 'B', status: 'failed', status_reason: 'No room' },
    ]);
  });
});
