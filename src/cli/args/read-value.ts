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

function readSwitch(flag: SwitchFlag, given: string | undefined): boolean {
  const value = given === undefined ? true : switchWords.get(given.toLowerCase());
  if (value !== undefined) return value;
  throw wrongUsage(
    `--${flag.name} is true or false, not "${given}".`,
    `--${flag.name}`,
    `--${flag.name}=false`,
  );
}

function readNumber(flag: NumberFlag, given: string): number {
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = flag;
  const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
  const wanted = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  if (!(value >= least && value <= most))
    throw wrongUsage(`--${flag.name} is a whole number ${wanted}, not "${given}".`);
  return value;
}

function readText(flag: TextFlag, given: string): Value {
  const values = flag.kind === 'list' ? given.split(',').filter((each) => each !== '') : [given];
  for (const value of values) {
    if (!flag.choices || flag.choices.includes(value)) continue;
    const meant = closestWord(value, flag.choices);
    throw wrongUsage(
      `--${flag.name} cannot be "${value}".`,
      meant ? `Did you mean: ${meant}` : `It may be: ${flag.choices.join(', ')}`,
    );
  }
  return flag.kind === 'list' ? values : given;
}

/** The interface's version may be written without the letter, as existing clients do. */
const spelled = (flag: Flag, given: string): string =>
  flag.name === 'apiver' && /^\d+$/.test(given) ? `v${given}` : given;

/** The value of a flag as it was written, or a sentence about what is wrong with it. */
export function readValue(flag: Flag, given: string | undefined, inline = true): Value {
  if (flag.kind === 'switch') return readSwitch(flag, given);
  if (given === undefined || (!inline && given.startsWith('--')))
    throw wrongUsage(
      `--${flag.name} needs a value${given === undefined ? '' : `, and "${given}" looks like another flag`}.`,
      `--${flag.name}=<${flag.value}>`,
    );
  if (flag.kind === 'number') return readNumber(flag, given);
  return readText(flag, spelled(flag, given));
}
