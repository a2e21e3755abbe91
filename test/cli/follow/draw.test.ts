import { describe, expect, it } from 'vitest';
import {
  drawProgress,
  type Frame,
  type ProgressRow,
  type ProgressView,
} from '../../../src/cli/follow/draw.ts';

const now = 100_000;
const row = (name: string, more: Partial<ProgressRow> = {}): ProgressRow => ({
  name,
  type: 'VirtualNetwork',
  state: 'busy',
  began: now - 4000,
  ended: null,
  note: '',
  ...more,
});
const done = (name: string): ProgressRow => row(name, { state: 'done', ended: now - 1000 });
const viewOf = (rows: ProgressRow[], more: Partial<ProgressView> = {}): ProgressView => ({
  name: 'shop',
  doing: 'creating',
  reason: '',
  startedAt: now - 12_000,
  expected: { seconds: 20, isLate: false },
  rows,
  ...more,
});
const at = (width: number, height: number, more: Partial<Frame> = {}): Frame => ({
  width,
  height,
  now,
  isOver: false,
  widthOf: (text) => text.length,
  paint: (_tone, text) => text,
  ...more,
});
const crash = 'The container exited with code 3 and was restarted 5 times.';
const many = (count: number, make: (name: string) => ProgressRow): ProgressRow[] =>
  Array.from({ length: count }, (_, index) => make(`Resource${index}`));

describe('the rows of a wait', () => {
  it('show at 80x24 what is done, what is in progress and what failed, each with its time or its reason', () => {
    const rows = [done('VPC'), row('SecurityGroupWeb'), row('Web i-1', { state: 'failed', note: crash })];
    expect(drawProgress(viewOf(rows), at(80, 24))).toEqual([
      '⠋ Creating shop  12 s of about 20 s',
      '✓ VPC               VirtualNetwork  3 s',
      '⠋ SecurityGroupWeb  VirtualNetwork  4 s',
      '✗ Web i-1           The container exited with code 3 and was restarted 5 times.',
    ]);
  });

  it('show at 40x10 no types, and cut what is too long', () => {
    const rows = [done('VPC'), row('SecurityGroupWeb'), row('Web i-1', { state: 'failed', note: crash })];
    expect(drawProgress(viewOf(rows), at(40, 10))).toEqual([
      '⠋ Creating shop  12 s of about 20 s',
      '✓ VPC               3 s',
      '⠋ SecurityGroupWeb  4 s',
      '✗ Web i-1           The container exit…',
    ]);
  });

  it('fold those that are done into a number if there are more than the terminal has lines', () => {
    const rows = [...many(12, done), row('Database')];
    expect(drawProgress(viewOf(rows), at(40, 10))).toEqual([
      '⠋ Creating shop  12 s of about 20 s',
      '✓ 12 done',
      '⠋ Database  4 s',
    ]);
  });

  it('show failures first if even those in progress do not fit, and how many are left out', () => {
    const rows = [...many(12, row), row('Web i-1', { state: 'failed', note: 'No.' }), done('VPC')];
    const lines = drawProgress(viewOf(rows), at(40, 10));
    expect(lines.slice(0, 3)).toEqual([
      '⠋ Creating shop  12 s of about 20 s',
      '✓ 1 done',
      '✗ Web i-1    No.',
    ]);
    expect(lines.at(-1)).toBe('  and 7 more');
    expect(lines).toHaveLength(9);
  });

  it.each([
    ['undoing', '⠋ Undoing the failed change of shop  12 s'],
    ['returning', '⠋ Returning shop to the version before  12 s'],
  ] as const)('while %s say why and how far, and no time left', (doing, title) => {
    const reason = `Instance i-1: ${crash} 11 of 15 removed.`;
    const lines = drawProgress(viewOf([], { doing, reason, expected: null }), at(80, 24));
    expect(lines[0]).toBe(title);
    expect(lines.slice(1).join('').replaceAll(/\s+/g, ' ').trim()).toBe(
      'Instance i-1: The container exited with code 3 and was restarted 5 times. 11 of 15 removed.',
    );
  });

  it('have no title and no spinner when the wait is over', () => {
    const lines = drawProgress(viewOf([done('VPC'), row('Database')]), at(40, 10, { isOver: true }));
    expect(lines).toEqual(['✓ VPC       3 s', '· Database  4 s']);
  });

  it('move the spinner with the time', () => {
    const marks = [0, 100, 200].map(
      (more) => drawProgress(viewOf([]), at(80, 24, { now: now + more }))[0]?.[0],
    );
    expect(new Set(marks).size).toBe(3);
  });

  it('are narrower and fewer than the terminal, and have no control characters, whatever its size', () => {
    const hostile = 'a\u001B[2Jb\r\nc '.repeat(20);
    const rows = [...many(30, row), row(hostile, { state: 'failed', note: hostile }), done(hostile)];
    for (const width of [12, 20, 40, 59, 60, 80, 200])
      for (const height of [4, 5, 10, 24, 50])
        for (const doing of ['creating', 'undoing'] as const) {
          const lines = drawProgress(
            viewOf(rows, { doing, reason: hostile, name: hostile }),
            at(width, height),
          );
          expect(lines.length).toBeLessThan(height);
          expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(width);
          // oxlint-disable-next-line no-control-regex -- these are what is looked for
          expect(lines.join('')).not.toMatch(/[\u0000-\u001F]/);
        }
  });
});
