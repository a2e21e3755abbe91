import { closestWord } from '../../basics/closest-word.ts';
import { wrongUsage } from '../cli-error.ts';
import type { Value } from './args.ts';
import type { Flag, NumberFlag, SwitchFlag, TextFlag } from './flag.ts';

/** How a switch may be written out. */
const switchWords = new Map([
  ...['true', '1', 'on', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'off', 'no'].map((word) => [word, false] as const),
]);

export const isSwitchWord = (word: string): boolean => switchWords.has(word.toLowerCase());

function readSwitch(flag: SwitchFlag, args: string | undefined): boolean {
  const value = args === undefined ? true : switchWords.get(args.toLowerCase());
  if (value !== undefined) return value;
  throw wrongUsage(
    `--${flag.name} is true or false, not "${args}".`,
    `--${flag.name}`,
    `--${flag.name}=false`,
  );
}

function readNumber(flag: NumberFlag, args: string): number {
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = flag;
  const value = /^-?\d+$/.test(args) ? Number(args) : Number.NaN;
  const wanted = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  if (!(value >= least && value <= most))
    throw wrongUsage(`--${flag.name} is a whole number ${wanted}, not "${args}".`);
  return value;
}

function readText(flag: TextFlag, args: string): Value {
  const values = flag.kind === 'list' ? args.split(',').filter((each) => each !== '') : [args];
  for (const value of values) {
    if (!flag.choices || flag.choices.includes(value)) continue;
    const meant = closestWord(value, flag.choices);
    throw wrongUsage(
      `--${flag.name} cannot be "${value}".`,
      meant ? `Did you mean: ${meant}` : `It may be: ${flag.choices.join(', ')}`,
    );
  }
  return flag.kind === 'list' ? values : args;
}

/** The interface's version may be written without the letter, as existing clients do. */
const spelled = (flag: Flag, args: string): string =>
  flag.name === 'apiver' && /^\d+$/.test(args) ? `v${args}` : args;

/** The value of a flag as it was written, or a sentence about what is wrong with it. */
export function readValue(flag: Flag, args: string | undefined, inline = true): Value {
  if (flag.kind === 'switch') return readSwitch(flag, args);
  if (args === undefined || (!inline && args.startsWith('--')))
    throw wrongUsage(
      `--${flag.name} needs a value${args === undefined ? '' : `, and "${args}" looks like another flag`}.`,
      `--${flag.name}=<${flag.value}>`,
    );
  if (flag.kind === 'number') return readNumber(flag, args);
  return readText(flag, spelled(flag, args));
}
