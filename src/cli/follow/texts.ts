import { oneLine, type Paint, toneOfStatus } from '../view/colour.ts';
import type { Counts, Expected, Progress } from './progress.ts';
import type { StackEvent } from './stack-calls.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `42 s`, `3 min 05 s`, `1 h 12 min` */
export function formatDuration(duration: number): string {
  const seconds = Math.max(0, Math.round(duration));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

/** Local time of day; other texts are returned unchanged. */
const timeOfDay = (text: string): string => {
  const time = new Date(text);
  return Number.isNaN(time.getTime())
    ? text
    : [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
};

/** `12:00:01 CREATE_COMPLETE    VPC (VirtualNetwork) Created vpc-1.` */
export function eventText(event: StackEvent, paint: Paint): string {
  const { time, status, resource, resource_type: type, message } = event;
  const tone = toneOfStatus(status);
  const padded = oneLine(status).padEnd('CREATE_IN_PROGRESS'.length);
  const shown = tone ? paint(tone, padded) : padded;
  const subject = resource === '' ? '' : `${resource}${type === '' ? '' : ` (${type})`}`;
  return [
    paint('faint', oneLine(timeOfDay(time))),
    ...(status === '' ? [] : [shown]),
    ...(subject === '' ? [] : [oneLine(subject)]),
    oneLine(message),
  ].join(' ');
}

const expectedText = (expected: Expected): string => {
  if (!expected) return '';
  return expected.isLate
    ? `, longer than the usual ${formatDuration(expected.seconds)}`
    : ` of about ${formatDuration(expected.seconds)}`;
};

export const elapsedText = ({ elapsedSeconds, expected }: Progress): string =>
  formatDuration(elapsedSeconds) + expectedText(expected);

const countText = ({ done, inProgress, failed }: Counts): string =>
  [
    ...(done > 0 ? [`${done} done`] : []),
    ...(inProgress > 0 ? [`${inProgress} in progress`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');

const maxBarWidth = 30;
const blockWidth = 4;

const barOf = (fraction: number, width: number): string => {
  const full = Math.round(Math.min(1, fraction) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
};

/** A block that moves back and forth, for an unknown duration. */
const indeterminateBar = (seconds: number, width: number): string => {
  const room = Math.max(1, width - blockWidth);
  const step = Math.floor(seconds * 4) % (2 * room);
  const left = Math.min(step, 2 * room - step, Math.max(0, width - blockWidth));
  return ('░'.repeat(left) + '█'.repeat(blockWidth)).padEnd(width, '░').slice(0, width);
};

/** The live line, never wider than the terminal: a line that wraps cannot be cleared. */
export function liveText(progress: Progress, columns: number, paint: Paint): string {
  const { elapsedSeconds, expected, counts } = progress;
  const room = Math.max(0, columns - 1);
  const width = Math.min(maxBarWidth, Math.floor(room / 3));
  const bar =
    expected && !expected.isLate
      ? barOf(elapsedSeconds / expected.seconds, width)
      : indeterminateBar(elapsedSeconds, width);
  const text = [elapsedText(progress), countText(counts)].filter((each) => each !== '').join('  ');
  return paint('busy', bar) + ` ${text}`.slice(0, room - width);
}
