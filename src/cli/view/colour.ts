import { styleText } from 'node:util';
import type { Environment } from '../system.ts';

export type Tone = 'good' | 'bad' | 'busy' | 'faint' | 'strong';

const styles = {
  good: 'green',
  bad: 'red',
  busy: 'yellow',
  faint: 'dim',
  strong: 'bold',
} as const satisfies Record<Tone, string>;

export type Paint = (tone: Tone, text: string) => string;

/** Applies a style unconditionally. Names a stream because the default would open standard output. */
const paint: Paint = (tone, text) =>
  styleText(styles[tone], text, { validateStream: false, stream: process.stderr });

/** Colours text only on a terminal, and not if NO_COLOR is set. */
export const painter = (stream: { isTTY?: boolean }, env: Environment): Paint =>
  stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? paint : (_tone, text) => text;

/** Tone of a status. */
export const toneOfStatus = (status: string): Tone | undefined => {
  if (status.endsWith('_FAILED') || ['failing', 'down'].includes(status)) return 'bad';
  if (status.endsWith('_IN_PROGRESS') || ['degraded', 'rolling', 'returned'].includes(status)) return 'busy';
  return status.endsWith('_COMPLETE') || ['running', 'serving'].includes(status) ? 'good' : undefined;
};

/** Text on a single line, without control characters. */
export const oneLine = (text: string): string => stripControls(text.replaceAll(/\s+/g, ' '));

/** Removes control characters, so that foreign text can neither control the terminal nor reverse its own direction. */
export const stripControls = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what it removes
  text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, '');
