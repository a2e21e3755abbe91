import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import type { Context } from '../../../src/cli/command.ts';
import { Display } from '../../../src/cli/follow/display.ts';
import { Progress } from '../../../src/cli/follow/progress.ts';
import { liveScreen, plainScreen } from '../../../src/cli/follow/screen.ts';
import type { StackState } from '../../../src/cli/follow/stack-calls.ts';
import { elapsedText, eventText, formatDuration } from '../../../src/cli/follow/texts.ts';
import type { Paint } from '../../../src/cli/view/colour.ts';
import { Output } from '../../../src/cli/view/output.ts';
import { instanceOf, rolloutOf } from './rollout.ts';
import { stackEvent } from './stack-event.ts';

const plain: Paint = (_tone, text) => text;

describe('the progress of an operation', () => {
  const clock = new VirtualClock(Date.parse('2030-01-01T00:00:10Z'));
  const resource = (name: string, status: string, time: string) =>
    stackEvent({ resource: name, resource_type: 'Thing', status, time, message: `${name} ${status}` });
  const after10s = (p50: number | null, p90: number | null): Progress => {
    const progress = new Progress(clock);
    progress.record(
      stackEvent({ kind: 'request', status: 'CREATE_IN_PROGRESS', time: '2030-01-01T00:00:00Z' }),
    );
    progress.record(resource('A', 'CREATE_IN_PROGRESS', '2030-01-01T00:00:01Z'));
    progress.record(resource('A', 'CREATE_COMPLETE', '2030-01-01T00:00:04Z'));
    progress.record(resource('B', 'CREATE_IN_PROGRESS', '2030-01-01T00:00:05Z'));
    progress.setEstimate({
      operation: 'CREATE',
      samples: 3,
      p50_seconds: p50,
      p90_seconds: p90,
      elapsed_seconds: 10,
    });
    return progress;
  };
  const state = (more: Partial<StackState>): StackState => ({
    status: 'CREATE_IN_PROGRESS',
    reason: '',
    nickname: 'shop',
    outputs: [],
    ...more,
  });

  it.each<[number | null, number | null, string]>([
    [20, 40, '10 s of about 20 s'],
    [8, 30, '10 s of about 30 s'],
    [5, 8, '10 s, longer than the usual 8 s'],
    [null, null, '10 s'],
  ])('after 10 s, with a median of %s s and a 90th percentile of %s s, is "%s"', (p50, p90, shown) => {
    expect(elapsedText(after10s(p50, p90))).toBe(shown);
  });

  it('has a row for each resource, with its times', () => {
    const { rows, doing } = after10s(null, null).view;
    expect(doing).toBe('creating');
    const [second, fourth, fifth] = [1, 4, 5].map((at) => clock.now() - 10_000 + at * 1000);
    expect(rows).toMatchObject([
      { name: 'A', state: 'done', began: second, ended: fourth },
      { name: 'B', state: 'busy', began: fifth, ended: null },
    ]);
  });

  it('has a row for the application on each instance, with the reason of a failure', () => {
    const progress = after10s(null, null);
    progress.setState(state({}), [
      rolloutOf({
        instances: [
          instanceOf({ instance_id: 'i-1', state: 'serving', since: '2030-01-01T00:00:09Z' }),
          instanceOf({ instance_id: 'i-2', state: 'failing', reason: 'It exits with 3.' }),
          instanceOf({ instance_id: 'i-3', state: 'starting' }),
        ],
      }),
    ]);
    expect(progress.view.rows.slice(2)).toMatchObject([
      { name: 'Web i-1', state: 'done', ended: clock.now() - 1000 },
      { name: 'Web i-2', state: 'failed', note: 'It exits with 3.' },
      { name: 'Web i-3', state: 'busy', ended: null },
    ]);
  });

  it('says why a failed change is undone, and then expects no end', () => {
    const progress = after10s(20, 40);
    progress.setState(state({ doing: 'undoing', doingReason: 'No room. 11 of 15 removed.' }), []);
    expect(progress.view).toMatchObject({
      name: 'shop',
      doing: 'undoing',
      reason: 'No room. 11 of 15 removed.',
      expected: null,
    });
  });

  it('while it returns has the reason of the rollout that failed', () => {
    const progress = after10s(20, 40);
    const failed = rolloutOf({ state: 'returned', reason: 'It exits with 3.' });
    progress.setState(state({ doing: 'returning', doingReason: '' }), [rolloutOf({}), failed]);
    expect(progress.view).toMatchObject({ doing: 'returning', reason: 'It exits with 3.', expected: null });
  });

  it('begins again when another change begins', () => {
    const progress = after10s(20, 40);
    progress.record(stackEvent({ kind: 'request', status: 'DELETE_IN_PROGRESS' }));
    expect(progress.view).toMatchObject({ doing: 'deleting', rows: [] });
    expect(progress.elapsedSeconds).toBe(0);
  });
});

describe('event and duration texts', () => {
  it.each([
    [0.4, '0 s'],
    [59, '59 s'],
    [59.7, '1 min 00 s'],
    [185, '3 min 05 s'],
    [4321, '1 h 12 min'],
  ])('formats %d seconds as %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

  it('an event text contains no terminal control characters', () => {
    const hostile = stackEvent({ message: 'a\u001B[2Jb\r\nc', resource: 'R\u0007', resource_type: 'T' });
    expect(eventText(hostile, plain)).toMatch(/^\d\d:\d\d:\d\d R \(T\) a\[2Jb c$/);
  });
});

describe('the progress screen', () => {
  it('prints a heartbeat after 30 s of silence', () => {
    const clock = new VirtualClock();
    const printed: string[] = [];
    const screen = plainScreen(clock, () => printed.push('heartbeat'));
    clock.advance(29_000);
    screen.print(() => printed.push('event'));
    clock.advance(29_000);
    expect(printed).toEqual(['event']);
    clock.advance(61_000);
    expect(printed).toEqual(['event', 'heartbeat', 'heartbeat', 'heartbeat']);
    screen.close();
    clock.advance(100_000);
    expect(printed.length).toBe(4);
  });

  it('a terminal draws over the rows before, prints other lines above them, and keeps the last ones', () => {
    const clock = new VirtualClock();
    let written = '';
    let rows = ['one', 'two'];
    const screen = liveScreen(clock, { write: (text: string) => (written += text) }, (isOver) =>
      isOver ? ['end'] : rows,
    );
    const frame = (...lines: string[]) =>
      `\u001B[?7l${lines.map((line) => `${line}\u001B[K\n`).join('')}\u001B[J\u001B[?7h`;
    screen.print(() => (written += 'event\n'));
    rows = ['one'];
    clock.advance(100);
    screen.close();
    clock.advance(1000);
    screen.close();
    expect(written).toBe(
      [
        `\r${frame('one', 'two')}`,
        '\r\u001B[2A\u001B[Jevent\n',
        `\r${frame('one', 'two')}`,
        `\r\u001B[2A${frame('one')}`,
        `\r\u001B[1A${frame('end')}`,
      ].join(''),
    );
  });

  const shown = (env: object, { isTTY = true, verbose = false } = {}) => {
    let written = '';
    const stderr = { isTTY, columns: 60, rows: 24, write: (text: string) => (written += text) };
    const system = { env, stderr, stdout: {}, clock: new VirtualClock() } as unknown as Context['system'];
    const out = new Output(system, { format: 'raw', indent: 2, file: undefined });
    const settings = { verbose } as Context['settings'];
    const progress = new Progress(system.clock);
    const display = new Display({ system, out, settings }, progress, ({ length }) => length);
    return { display, progress, written: () => written };
  };

  it.each<[string, object, boolean, boolean]>([
    ['draws on a terminal', {}, false, true],
    ['does not draw on a dumb terminal', { TERM: 'dumb' }, false, false],
    ['does not draw with --verbose', {}, true, false],
  ])('%s, and prints troubles in every case', (_, env, verbose, isLive) => {
    const { display, written } = shown(env, { verbose });
    display.event(stackEvent({ kind: 'trouble', message: 'The vendor cannot be reached.' }));
    display.close();
    expect(written().includes('Waiting for')).toBe(isLive);
    expect(written().includes('[alm]:')).toBe(!isLive);
    expect(written()).toContain('The vendor cannot be reached.');
    expect(written()).toContain('warning:');
  });

  it('in a pipe prints failures of resources and agents as errors, and says once that a change is undone', () => {
    const { display, progress, written } = shown({}, { isTTY: false });
    display.event(stackEvent({ resource: 'VPC', status: 'CREATE_FAILED', message: 'No room.' }));
    display.event(stackEvent({ kind: 'agent', status: 'error', message: 'Deploy failed.' }));
    display.event(stackEvent({ resource: 'VPC', status: 'CREATE_COMPLETE', message: 'Made.' }));
    const state = { status: '', reason: '', outputs: [], doing: 'undoing', doingReason: 'No room.' } as const;
    for (let times = 0; times < 3; times += 1) {
      progress.setState(state, []);
      display.progressed();
    }
    display.close();
    const levels = [...written().matchAll(/^\[alm\]: (\w+):/gm)].map(([, level]) => level);
    expect(levels).toEqual(['error', 'error', 'info', 'warning']);
    expect(written()).toContain('warning: The change failed and is undone: No room.');
  });
});
