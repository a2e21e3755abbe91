import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closestWord } from '../../basics/closest-word.ts';
import { type CliError, wrongUsage } from '../cli-error.ts';
import type { Command, Group } from '../command.ts';
import { Args, type Value } from './args.ts';
import type { Flag } from './flag.ts';
import { globalFlags } from './global-flags.ts';
import { isSwitchWord, readValue } from './read-value.ts';

type Parsed =
  | { kind: 'run'; command: Command; args: Args }
  | { kind: 'help'; about: Command | Group | null; asked: boolean };

/** `default: true` would make an absent switch look given. */
const optionsFor = (flags: readonly Flag[]): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    flags.flatMap((flag) =>
      [flag.name, ...(flag.aliases ?? [])].map((name) => [
        name,
        {
          type: flag.kind === 'switch' ? ('boolean' as const) : ('string' as const),
          ...(flag.short && name === flag.name ? { short: flag.short } : {}),
        },
      ]),
    ),
  );

/** A value may follow a space, that of a switch too; the library wants it after `=`. */
function joinSwitches(argv: readonly string[], flags: readonly Flag[]): string[] {
  const switches = new Set(flags.filter(({ kind }) => kind === 'switch').map(({ name }) => `--${name}`));
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isValue = (index: number): boolean =>
    index > 0 && index < end && switches.has(argv[index - 1] ?? '') && isSwitchWord(argv[index] ?? '');
  return argv.flatMap((word, index) => {
    if (isValue(index)) return [];
    return isValue(index + 1) ? [`${word}=${argv[index + 1]}`] : [word];
  });
}

/** The command line cut up; what is not in `flags` counts as a switch. */
export const tokensOf = (argv: readonly string[], flags: readonly Flag[]) =>
  parseArgs({
    args: joinSwitches(argv, flags),
    options: optionsFor(flags),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;

const wordsOf = (argv: readonly string[], flags: readonly Flag[]): string[] =>
  tokensOf(argv, flags).flatMap((token) => (token.kind === 'positional' ? [token.value] : []));

const asksForHelp = (argv: readonly string[], flags: readonly Flag[]): boolean =>
  tokensOf(argv, flags).some((token) => token.kind === 'option' && token.name === 'help');

function unknownWord(word: string, known: readonly string[], before: string): CliError {
  const meant = closestWord(word, known);
  const shown = ['alm', before, word].filter(Boolean).join(' ');
  return wrongUsage(
    `There is no command "${shown}".`,
    meant
      ? `Did you mean: ${['alm', before, meant].filter(Boolean).join(' ')}`
      : `There are: ${known.join(', ')}`,
  );
}

/** Which command the words name; `null` when they stop at a group, or before. */
export function findCommand(
  groups: readonly Group[],
  words: readonly string[],
): { group: Group | null; command: Command | null } {
  const [first, second] = words;
  if (first === undefined) return { group: null, command: null };
  const group = groups.find(({ name }) => name === first);
  if (!group)
    throw unknownWord(
      first,
      groups.map(({ name }) => name),
      '',
    );
  const alone = group.commands.find(({ path }) => path === first);
  if (alone) return { group, command: alone };
  if (second === undefined) return { group, command: null };
  const command = group.commands.find(({ path }) => path === `${first} ${second}`);
  const known = group.commands.map(({ path }) => path.split(' ')[1] ?? '');
  if (!command) throw unknownWord(second, known, first);
  return { group, command };
}

export const flagNamed = (flags: readonly Flag[], name: string): Flag | undefined =>
  flags.find((flag) => flag.name === name || flag.aliases?.includes(name));

type OptionToken = Extract<ReturnType<typeof tokensOf>[number], { kind: 'option' }>;

/** `-f=json` is `-f json`; the library takes the sign for a part of the value. */
export const writtenValue = ({ rawName, value, inlineValue }: OptionToken): string | undefined =>
  inlineValue && !rawName.startsWith('--') ? value.replace(/^=/, '') : value;

function unknownFlag(raw: string, words: string, flags: readonly Flag[]): CliError {
  const names = flags.map(({ name }) => name);
  const meant = raw.startsWith('--') ? closestWord(raw.slice(2), names) : null;
  return wrongUsage(
    `${raw} is not a flag of "${words}".`,
    meant ? `Did you mean: --${meant}` : `See: ${words} --help`,
  );
}

/** Without a command there is nothing a flag could be about, but a mistyped one is told. */
function refuseUnknownFlags(argv: readonly string[]): void {
  for (const token of tokensOf(argv, globalFlags))
    if (token.kind === 'option' && !flagNamed(globalFlags, token.name))
      throw unknownFlag(token.rawName, 'alm', globalFlags);
}

/** Flags given without their names take the words left over, in the order the table says. */
function takeBare(
  command: Command,
  words: readonly string[],
  values: Map<string, Value>,
  flags: readonly Flag[],
): void {
  const names = command.bare ?? [];
  for (const [index, word] of words.entries()) {
    const flag = flagNamed(flags, names[index] ?? '');
    if (!flag) throw wrongUsage(`"${word}" is one word too many.`, `See: alm ${command.path} --help`);
    if (values.has(flag.name)) throw wrongUsage(`--${flag.name} is args twice: also as "${word}".`);
    values.set(flag.name, readValue(flag, word));
  }
}

function readFlags(command: Command, argv: readonly string[]): Args {
  const flags = [...command.flags, ...globalFlags];
  const values = new Map<string, Value>();
  const words: string[] = [];
  for (const token of tokensOf(argv, flags)) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = flagNamed(flags, token.name);
    if (!flag) throw unknownFlag(token.rawName, `alm ${command.path}`, flags);
    const value = readValue(flag, writtenValue(token), token.inlineValue !== false);
    const before = values.get(flag.name);
    if (flag.kind === 'list' && Array.isArray(before) && Array.isArray(value))
      values.set(flag.name, [...before, ...value]);
    else values.set(flag.name, value);
  }
  takeBare(command, words.slice(command.path.split(' ').length), values, flags);
  return new Args(flags, values);
}

/** From the words after `alm` to what is asked for. Throws a sentence when they make no sense. */
export function parse(groups: readonly Group[], argv: readonly string[]): Parsed {
  if (argv.length === 1 && argv[0] === '--version') return parse(groups, ['version']);
  const words = wordsOf(argv, globalFlags);
  if (words.length === 0) refuseUnknownFlags(argv);
  const isHelpCommand = words[0] === 'help';
  const about = isHelpCommand ? words.slice(1) : words;
  const { group, command } = findCommand(groups, about);
  const asked = isHelpCommand || asksForHelp(argv, [...(command?.flags ?? []), ...globalFlags]);
  if (isHelpCommand && command && about.length > command.path.split(' ').length)
    throw wrongUsage(`"${about.at(-1)}" is one word too many.`, `alm help ${command.path}`);
  if (asked || !command) return { kind: 'help', about: command ?? group, asked: asked || !group };
  return { kind: 'run', command, args: readFlags(command, argv) };
}
