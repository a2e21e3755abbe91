import type { Environment } from '../system.ts';

export type Tone = 'good' | 'bad' | 'busy' | 'faint' | 'strong';

const codes: Readonly<Record<Tone, string>> = { good: '32', bad: '31', busy: '33', faint: '2', strong: '1' };

export type Paint = (tone: Tone, text: string) => string;

/** Colours only for people: on a terminal, and unless NO_COLOR says otherwise. */
export const painter = (stream: { isTTY?: boolean }, env: Environment): Paint =>
  stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb'
    ? (tone, text) => `\u001B[${codes[tone]}m${text}\u001B[0m`
    : (_tone, text) => text;

/** How a status word looks. */
export const toneOfStatus = (status: string): Tone | undefined => {
  if (status.endsWith('_FAILED')) return 'bad';
  if (status.endsWith('_IN_PROGRESS')) return 'busy';
  return status.endsWith('_COMPLETE') || status === 'running' ? 'good' : undefined;
};

/** The same on one line, to be shown among others. */
export const oneLine = (text: string): string => stripControls(text.replaceAll(/\s+/g, ' '));

/** Bytes of others must not command the user's terminal, nor turn its text around. */
export const stripControls = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, '');
