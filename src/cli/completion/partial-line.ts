import { Args, type Value } from '../args/args.ts';
import type { Flag } from '../args/flag.ts';
import { globalFlags } from '../args/global-flags.ts';
import { findCommand, flagNamed, tokensOf, writtenValue } from '../args/parse.ts';
import { readValue } from '../args/read-value.ts';
import type { Command, Group } from '../command.ts';

/** A command line that is being typed. */
export interface PartialLine {
  /** The word being typed; may be empty. */
  readonly last: string;
  readonly group: Group | null;
  readonly command: Command | null;
  /** True for `alm help stack list`. */
  readonly isHelp: boolean;
  /** Flags of the command, and global flags. */
  readonly flags: readonly Flag[];
  readonly args: Args;
  /** Number of positional words after those of the command. */
  readonly positionals: number;
  /** The previous flag, when the word being typed is its value. */
  readonly awaiting: Flag | null;
  /** True after `--`. */
  readonly flagsEnded: boolean;
}

type Tokens = ReturnType<typeof tokensOf>;

const wordsIn = (tokens: Tokens): string[] =>
  tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));

/** Ignores invalid values, which are reported when the command runs. */
function addValue(values: Map<string, Value>, flag: Flag | undefined, text: string | undefined): void {
  if (!flag) return;
  try {
    values.set(flag.name, readValue(flag, text));
  } catch {
    // Treated as not given.
  }
}

function parseArgs(
  tokens: Tokens,
  flags: readonly Flag[],
  positionals: readonly (readonly [string, string])[],
): Args {
  const values = new Map<string, Value>();
  for (const token of tokens)
    if (token.kind === 'option') addValue(values, flagNamed(flags, token.name), writtenValue(token));
  for (const [name, word] of positionals) addValue(values, flagNamed(flags, name), word);
  return new Args(flags, values);
}

function flagAwaitingValue(tokens: Tokens, flags: readonly Flag[]): Flag | null {
  const token = tokens.at(-1);
  const flag = token?.kind === 'option' && token.value === undefined ? flagNamed(flags, token.name) : null;
  return flag && flag.kind !== 'switch' ? flag : null;
}

/** Parses the words typed so far, of which the last may be incomplete. Throws for an unknown command. */
export function parsePartial(groups: readonly Group[], words: readonly string[]): PartialLine {
  const before = words.slice(0, -1);
  const path = wordsIn(tokensOf(before, globalFlags));
  const isHelp = path[0] === 'help';
  const { group, command } = findCommand(groups, isHelp ? path.slice(1) : path);
  const flags = [...(command?.flags ?? []), ...globalFlags];
  const tokens = tokensOf(before, flags);
  const positionals = wordsIn(tokens).slice(command?.path.split(' ').length ?? 0);
  return {
    last: words.at(-1) ?? '',
    group,
    command,
    isHelp,
    flags,
    args: parseArgs(
      tokens,
      flags,
      positionals.map((word, index) => [command?.positionals?.[index] ?? '', word] as const),
    ),
    positionals: positionals.length,
    awaiting: flagAwaitingValue(tokens, flags),
    flagsEnded: tokens.some(({ kind }) => kind === 'option-terminator'),
  };
}
