import { oneLine, type Paint, toneOfStatus } from '../view/colour.ts';
import type { StackEvent } from './stack-calls.ts';

/** Usual duration of the operation, and whether it already takes longer; null when unknown. */
export type Expected = { seconds: number; isLate: boolean } | null;

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

export const expectedText = (expected: Expected): string => {
  if (!expected) return '';
  return expected.isLate
    ? `, longer than the usual ${formatDuration(expected.seconds)}`
    : ` of about ${formatDuration(expected.seconds)}`;
};

export const elapsedText = (progress: { elapsedSeconds: number; expected: Expected }): string =>
  formatDuration(progress.elapsedSeconds) + expectedText(progress.expected);
