import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closestWord } from '../../basics/closest-word.ts';
import { type CliError, usageError } from '../cli-error.ts';
import type { Command, Group } from '../command.ts';
import { Args, type Value } from './args.ts';
import type { Flag } from './flag.ts';
import { globalFlags } from './global-flags.ts';
import { isSwitchWord, readValue } from './read-value.ts';

type Parsed =
  | { kind: 'run'; command: Command; args: Args }
  | { kind: 'help'; about: Command | Group | null; isRequested: boolean };

/** Options for `parseArgs`, without defaults: with `default: true` an absent switch would look present. */
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

/** Joins switches with a value after a space (`--wait false`), which `parseArgs` accepts only after `=`. */
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

/** Tokenizes a command line; a flag that is not in `flags` counts as a switch. */
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

function unknownCommand(word: string, known: readonly string[], group = ''): CliError {
  const suggestion = closestWord(word, known);
  const commandLine = (last: string): string => ['alm', group, last].filter(Boolean).join(' ');
  return usageError(
    `Unknown command "${commandLine(word)}".`,
    suggestion ? `Did you mean: ${commandLine(suggestion)}` : `Commands: ${known.join(', ')}`,
  );
}

/** Finds the command the words name; `null` if they name only a group, or nothing. */
export function findCommand(
  groups: readonly Group[],
  words: readonly string[],
): { group: Group | null; command: Command | null } {
  const [first, second] = words;
  if (first === undefined) return { group: null, command: null };
  const group = groups.find(({ name }) => name === first);
  if (!group)
    throw unknownCommand(
      first,
      groups.map(({ name }) => name),
    );
  const single = group.commands.find(({ path }) => path === first);
  if (single) return { group, command: single };
  if (second === undefined) return { group, command: null };
  const command = group.commands.find(({ path }) => path === `${first} ${second}`);
  const known = group.commands.map(({ path }) => path.split(' ')[1] ?? '');
  if (!command) throw unknownCommand(second, known, first);
  return { group, command };
}

export const flagNamed = (flags: readonly Flag[], name: string): Flag | undefined =>
  flags.find((flag) => flag.name === name || flag.aliases?.includes(name));

type OptionToken = Extract<ReturnType<typeof tokensOf>[number], { kind: 'option' }>;

/** The value as written. `-f=json` means `-f json`, but `parseArgs` takes `=` as part of the value. */
export const writtenValue = ({ rawName, value, inlineValue }: OptionToken): string | undefined =>
  inlineValue && !rawName.startsWith('--') ? value.replace(/^=/, '') : value;

function unknownFlag(rawName: string, command: string, flags: readonly Flag[]): CliError {
  const names = flags.map(({ name }) => name);
  const suggestion = rawName.startsWith('--') ? closestWord(rawName.slice(2), names) : null;
  return usageError(
    `Unknown flag ${rawName} for "${command}".`,
    suggestion ? `Did you mean: --${suggestion}` : `See: ${command} --help`,
  );
}

/** Reports a mistyped flag also when there is no command. */
function rejectUnknownFlags(argv: readonly string[]): void {
  for (const token of tokensOf(argv, globalFlags))
    if (token.kind === 'option' && !flagNamed(globalFlags, token.name))
      throw unknownFlag(token.rawName, 'alm', globalFlags);
}

/** Assigns the remaining words to the flags the command declares as positional, in their order. */
function readPositionals(command: Command, words: readonly string[], values: Map<string, Value>): void {
  const names = command.positionals ?? [];
  for (const [index, word] of words.entries()) {
    const flag = flagNamed(command.flags, names[index] ?? '');
    if (!flag) throw usageError(`Unexpected argument "${word}".`, `See: alm ${command.path} --help`);
    if (values.has(flag.name)) throw usageError(`--${flag.name} is given twice: as a flag and as "${word}".`);
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
    const previous = values.get(flag.name);
    if (flag.kind === 'list' && Array.isArray(previous) && Array.isArray(value))
      values.set(flag.name, [...previous, ...value]);
    else values.set(flag.name, value);
  }
  readPositionals(command, words.slice(command.path.split(' ').length), values);
  return new Args(flags, values);
}

/** Parses the arguments after `alm`. Throws a usage error if they are invalid. */
export function parse(groups: readonly Group[], argv: readonly string[]): Parsed {
  if (argv.length === 1 && argv[0] === '--version') return parse(groups, ['version']);
  const words = wordsOf(argv, globalFlags);
  if (words.length === 0) rejectUnknownFlags(argv);
  const isHelpCommand = words[0] === 'help';
  const about = isHelpCommand ? words.slice(1) : words;
  const { group, command } = findCommand(groups, about);
  const isRequested = isHelpCommand || asksForHelp(argv, [...(command?.flags ?? []), ...globalFlags]);
  if (isHelpCommand && command && about.length > command.path.split(' ').length)
    throw usageError(`Unexpected argument "${about.at(-1)}".`, `alm help ${command.path}`);
  if (isRequested || !command)
    return { kind: 'help', about: command ?? group, isRequested: isRequested || !group };
  return { kind: 'run', command, args: readFlags(command, argv) };
}
