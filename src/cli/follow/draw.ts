import { oneLine, type Paint } from '../view/colour.ts';
import { cut } from '../view/fit-table.ts';
import type { WidthOf } from '../view/table.ts';
import type { StackState } from './stack-calls.ts';
import { type Expected, expectedText, formatDuration } from './texts.ts';

/** A resource, or the application on an instance. Times are local. */
export interface ProgressRow {
  name: string;
  type: string;
  state: 'busy' | 'done' | 'failed';
  began: number;
  /** Null: not over. */
  ended: number | null;
  /** Why it failed. */
  note: string;
}

/** What a wait knows. */
export interface ProgressView {
  /** Of the stack. May be empty. */
  name: string;
  doing: NonNullable<StackState['doing']>;
  /** Why it is undone; may be empty. */
  reason: string;
  startedAt: number;
  expected: Expected;
  rows: readonly ProgressRow[];
}

export interface Frame {
  width: number;
  height: number;
  now: number;
  /** Nothing moves any more. */
  isOver: boolean;
  widthOf: WidthOf;
  paint: Paint;
}

const titles: Readonly<Record<ProgressView['doing'], (name: string) => string>> = {
  '': (name) => `Waiting for ${name}`,
  creating: (name) => `Creating ${name}`,
  updating: (name) => `Updating ${name}`,
  undoing: (name) => `Undoing the failed change of ${name}`,
  returning: (name) => `Returning ${name} to the version before`,
  deleting: (name) => `Deleting ${name}`,
};

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const spinMs = 100;
const reasonLines = 3;
/** Narrower terminals have no column for the type. */
const wideEnough = 60;
const timeWidth = '59 min 59 s'.length;

const markOf = (state: ProgressRow['state'], { now, isOver, paint }: Frame): string => {
  if (state === 'done') return paint('good', '✓');
  if (state === 'failed') return paint('bad', '✗');
  return paint('busy', isOver ? '·' : (spinner[Math.floor(now / spinMs) % spinner.length] ?? ''));
};

/** The lines of a text, at most `most`, the last one cut. */
function wrapped(text: string, { most, width, widthOf }: { most: number; width: number; widthOf: WidthOf }) {
  const lines: string[] = [];
  let rest = oneLine(text).trim();
  while (rest !== '' && lines.length < most - 1 && widthOf(rest) > width) {
    const end = rest.lastIndexOf(' ', width);
    if (end <= 0) break;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  return rest === '' ? lines : [...lines, cut(rest, width, widthOf)];
}

/** What is being done to which stack, since when, and why it is undone. */
function titleOf(view: ProgressView, frame: Frame): string[] {
  if (frame.isOver) return [];
  const { width, widthOf, now } = frame;
  const elapsed = formatDuration((now - view.startedAt) / 1000) + expectedText(view.expected);
  const what = oneLine(titles[view.doing](view.name || 'the stack'));
  const first = `${markOf('busy', frame)} ${cut(`${what}  ${elapsed}`, width - 3, widthOf)}`;
  const most = Math.min(reasonLines, Math.max(0, frame.height - 3));
  if (view.reason === '' || most === 0) return [first];
  const why = wrapped(view.reason, { most, width: width - 3, widthOf });
  return [first, ...why.map((line) => `  ${frame.paint('bad', line)}`)];
}

const pad = (text: string, width: number, widthOf: WidthOf): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** One line per row, in columns. */
function linesOf(rows: readonly ProgressRow[], frame: Frame): string[] {
  const { width, widthOf, now, paint } = frame;
  const room = width - 3;
  const widest = (cells: readonly string[]): number => Math.max(0, ...cells.map((cell) => widthOf(cell)));
  const names = widest(rows.map(({ name }) => oneLine(name)));
  const types = widest(rows.map(({ type }) => oneLine(type)));
  const hasType = width >= wideEnough;
  const nameWidth = Math.max(1, Math.min(names, hasType ? Math.floor(room / 2) : room - timeWidth - 2));
  const typeWidth = Math.min(types, room - nameWidth - timeWidth - 4);
  return rows.map((row) => {
    const name = pad(cut(oneLine(row.name), nameWidth, widthOf), nameWidth, widthOf);
    const rest = Math.max(0, room - nameWidth - 2);
    if (row.state === 'failed')
      return `${markOf(row.state, frame)} ${name}  ${paint('bad', cut(oneLine(row.note), rest, widthOf))}`;
    const type = hasType ? `${pad(cut(oneLine(row.type), typeWidth, widthOf), typeWidth, widthOf)}  ` : '';
    const time = formatDuration(((row.ended ?? now) - row.began) / 1000);
    return `${markOf(row.state, frame)} ${name}  ${paint('faint', cut(`${type}${time}`, rest, widthOf))}`;
  });
}

/** The rows that fit: those that are done become one line, then those in progress that do not fit. */
function foldedLines(rows: readonly ProgressRow[], most: number, frame: Frame): string[] {
  if (rows.length <= most) return linesOf(rows, frame);
  const done = rows.filter(({ state }) => state === 'done').length;
  const open = rows
    .filter(({ state }) => state !== 'done')
    .toSorted((one, other) => Number(other.state === 'failed') - Number(one.state === 'failed'));
  const summary = done > 0 ? [`${markOf('done', frame)} ${done} done`] : [];
  const room = most - summary.length;
  if (open.length <= room) return [...summary, ...linesOf(open, frame)];
  const shown = open.slice(0, Math.max(0, room - 1));
  const text = cut(`  and ${open.length - shown.length} more`, frame.width - 1, frame.widthOf);
  const more = frame.paint('faint', text);
  return [...summary, ...linesOf(shown, frame), more].slice(0, Math.max(0, most));
}

/** The lines that a terminal shows during a wait: narrower than it, and fewer than it has. */
export function drawProgress(view: ProgressView, frame: Frame): string[] {
  const title = titleOf(view, frame);
  return [...title, ...foldedLines(view.rows, frame.height - 1 - title.length, frame)];
}
