import { oneLine, type Paint, toneOfStatus } from '../view/colour.ts';
import type { Counts, Expected, Progress } from './progress.ts';
import type { StackEvent } from './stack-calls.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** `42 s`, `3 min 05 s`, `1 h 12 min` */
export function inWords(duration: number): string {
  const seconds = Math.max(0, Math.round(duration));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** As the user's own clock has it. */
const timeOfDay = (text: string): string => {
  const time = new Date(text);
  return Number.isNaN(time.getTime())
    ? text
    : [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
};

/** `12:00:01 CREATE_COMPLETE    VPC (VirtualNetwork) Created vpc-1.` */
export function eventText(event: StackEvent, paint: Paint): string {
  const { time, status, resource, resource_type: type, message } = event;
  const tone = toneOfStatus(status);
  const word = oneLine(status).padEnd('CREATE_IN_PROGRESS'.length);
  const shown = tone ? paint(tone, word) : word;
  const what = resource === '' ? '' : `${resource}${type === '' ? '' : ` (${type})`}`;
  return [
    paint('faint', oneLine(timeOfDay(time))),
    ...(status === '' ? [] : [shown]),
    ...(what === '' ? [] : [oneLine(what)]),
    oneLine(message),
  ].join(' ');
}

const expectedWords = (expected: Expected): string => {
  if (!expected) return '';
  return expected.isLate
    ? `, longer than the usual ${inWords(expected.seconds)}`
    : ` of about ${inWords(expected.seconds)}`;
};

export const elapsedWords = ({ elapsedSeconds, expected }: Progress): string =>
  inWords(elapsedSeconds) + expectedWords(expected);

const countWords = ({ done, underWay, failed }: Counts): string =>
  [
    ...(done > 0 ? [`${done} done`] : []),
    ...(underWay > 0 ? [`${underWay} under way`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');

const widestBar = 30;
const blockWidth = 4;

const barOf = (fraction: number, width: number): string => {
  const full = Math.round(Math.min(1, fraction) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
};

/** Where the end is not known, a block goes to and fro. */
const endlessBar = (seconds: number, width: number): string => {
  const room = Math.max(1, width - blockWidth);
  const step = Math.floor(seconds * 4) % (2 * room);
  const left = Math.min(step, 2 * room - step, Math.max(0, width - blockWidth));
  return ('░'.repeat(left) + '█'.repeat(blockWidth)).padEnd(width, '░').slice(0, width);
};

/** The line at the bottom, never wider than the terminal: a line that wraps cannot be taken back. */
export function liveText(progress: Progress, columns: number, paint: Paint): string {
  const { elapsedSeconds, expected, counts } = progress;
  const room = Math.max(0, columns - 1);
  const width = Math.min(widestBar, Math.floor(room / 3));
  const bar =
    expected && !expected.isLate
      ? barOf(elapsedSeconds / expected.seconds, width)
      : endlessBar(elapsedSeconds, width);
  const words = [elapsedWords(progress), countWords(counts)].filter((each) => each !== '').join('  ');
  return paint('busy', bar) + ` ${words}`.slice(0, room - width);
}
