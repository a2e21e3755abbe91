import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import type { Context } from '../../../src/cli/command.ts';
import { Display } from '../../../src/cli/follow/display.ts';
import { Progress } from '../../../src/cli/follow/progress.ts';
import { liveScreen, plainScreen } from '../../../src/cli/follow/screen.ts';
import { eventText, formatDuration, liveText } from '../../../src/cli/follow/texts.ts';
import type { Paint } from '../../../src/cli/view/colour.ts';
import { Output } from '../../../src/cli/view/output.ts';
import { stackEvent } from './stack-event.ts';

const plain: Paint = (_tone, text) => text;

describe('the live progress line', () => {
  const after10s = (p50: number | null, p90: number | null): Progress => {
    const progress = new Progress(new VirtualClock());
    progress.record(stackEvent({ resource: 'A', status: 'CREATE_IN_PROGRESS' }));
    progress.record(stackEvent({ resource: 'A', status: 'CREATE_COMPLETE' }));
    progress.record(stackEvent({ resource: 'B', status: 'CREATE_IN_PROGRESS' }));
    progress.setEstimate({
      operation: 'CREATE',
      samples: 3,
      p50_seconds: p50,
      p90_seconds: p90,
      elapsed_seconds: 10,
    });
    return progress;
  };

  it.each<[number | null, number | null, string]>([
    [20, 40, '███████████████░░░░░░░░░░░░░░░ 10 s of about 20 s  1 done, 1 in progress'],
    [8, 30, '██████████░░░░░░░░░░░░░░░░░░░░ 10 s of about 30 s  1 done, 1 in progress'],
    [5, 8, '░░░░░░░░░░░░████░░░░░░░░░░░░░░ 10 s, longer than the usual 8 s  1 done, 1 in progress'],
    [null, null, '░░░░░░░░░░░░████░░░░░░░░░░░░░░ 10 s  1 done, 1 in progress'],
  ])('shows 10 s of an operation with a median of %s s and a 90th percentile of %s s', (p50, p90, shown) => {
    expect(liveText(after10s(p50, p90), 120, plain)).toBe(shown);
  });

  it('is never wider than the terminal', () => {
    for (const columns of [1, 2, 3, 5, 14, 40, 60])
      for (const p50 of [null, 20])
        expect(liveText(after10s(p50, p50), columns, plain).length).toBeLessThan(columns);
  });

  it('restarts the counts and the elapsed time when another change begins', () => {
    const progress = after10s(20, 40);
    progress.record(stackEvent({ kind: 'request', status: 'DELETE_IN_PROGRESS' }));
    expect(progress.counts).toEqual({ done: 0, inProgress: 0, failed: 0 });
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

  it('a terminal clears the live line before other output and at the end', () => {
    const clock = new VirtualClock();
    let written = '';
    const screen = liveScreen(clock, { write: (text: string) => (written += text) }, () => 'bar');
    screen.print(() => (written += 'event\n'));
    clock.advance(200);
    screen.close();
    clock.advance(1000);
    screen.close();
    expect(written).toBe('\rbar\u001B[K\r\u001B[Kevent\n\rbar\u001B[K\rbar\u001B[K\r\u001B[K');
  });

  it.each<[string, object, boolean, boolean]>([
    ['draws a live line on a terminal', {}, false, true],
    ['draws no live line on a dumb terminal', { TERM: 'dumb' }, false, false],
    ['draws no live line with --verbose', {}, true, false],
  ])('%s, and prints events in every case', (_, env, verbose, isLive) => {
    let written = '';
    const stderr = { isTTY: true, columns: 60, write: (text: string) => (written += text) };
    const system = { env, stderr, stdout: {}, clock: new VirtualClock() } as unknown as Context['system'];
    const out = new Output(system, { format: 'raw', indent: 2, file: undefined });
    const settings = { verbose } as Context['settings'];
    const display = new Display({ system, out, settings }, new Progress(system.clock));
    display.event(stackEvent({ kind: 'trouble', message: 'The vendor cannot be reached.' }));
    display.close();
    expect(written.includes('█')).toBe(isLive);
    expect(written).toContain('The vendor cannot be reached.');
    expect(written).toContain('warning:');
  });
});
