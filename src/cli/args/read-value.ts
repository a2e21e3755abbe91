import { closestWord } from '../../basics/closest-word.ts';
import { usageError } from '../cli-error.ts';
import type { Value } from './args.ts';
import type { Flag, NumberFlag, SwitchFlag, TextFlag } from './flag.ts';

/** Accepted values of a switch. */
const switchWords = new Map([
  ...['true', '1', 'on', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'off', 'no'].map((word) => [word, false] as const),
]);

export const isSwitchWord = (word: string): boolean => switchWords.has(word.toLowerCase());

function readSwitch(flag: SwitchFlag, value: string | undefined): boolean {
  const isOn = value === undefined ? true : switchWords.get(value.toLowerCase());
  if (isOn !== undefined) return isOn;
  throw usageError(
    `Invalid value for --${flag.name}: "${value}". It must be true or false.`,
    `--${flag.name}`,
    `--${flag.name}=false`,
  );
}

function readNumber(flag: NumberFlag, value: string): number {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = flag;
  const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw usageError(`Invalid value for --${flag.name}: "${value}". It must be an integer ${range}.`);
}

function readText(flag: TextFlag, value: string): Value {
  const values =
    flag.kind === 'list' && !flag.whole ? value.split(',').filter((each) => each !== '') : [value];
  for (const each of values) {
    if (!flag.choices || flag.choices.includes(each)) continue;
    const suggestion = closestWord(each, flag.choices);
    throw usageError(
      `Invalid value for --${flag.name}: "${each}".`,
      suggestion ? `Did you mean: ${suggestion}` : `Valid values: ${flag.choices.join(', ')}`,
    );
  }
  return flag.kind === 'list' ? values : value;
}

/** Existing clients write the API version without the letter: `--apiver 2`. */
const normalized = (flag: Flag, value: string): string =>
  flag.name === 'apiver' && /^\d+$/.test(value) ? `v${value}` : value;

/** Parses the value of a flag, or throws a usage error. */
export function readValue(flag: Flag, value: string | undefined, inline = true): Value {
  if (flag.kind === 'switch') return readSwitch(flag, value);
  if (value === undefined || (!inline && value.startsWith('--')))
    throw usageError(
      `--${flag.name} requires a value${value === undefined ? '' : `, but "${value}" looks like another flag`}.`,
      `--${flag.name}=<${flag.value}>`,
    );
  if (flag.kind === 'number') return readNumber(flag, value);
  return readText(flag, normalized(flag, value));
}
