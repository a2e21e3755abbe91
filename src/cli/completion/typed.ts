import { Args, type Value } from '../args/args.ts';
import type { Flag } from '../args/flag.ts';
import { globalFlags } from '../args/global-flags.ts';
import { findCommand, flagNamed, tokensOf, writtenValue } from '../args/parse.ts';
import { readValue } from '../args/read-value.ts';
import type { Command, Group } from '../command.ts';

/** A command line in the middle of being typed. */
export interface Typed {
  /** The word that is being typed; empty where none has begun. */
  readonly last: string;
  readonly group: Group | null;
  readonly command: Command | null;
  /** Only asked about: `alm help stack list`. */
  readonly isHelp: boolean;
  /** Those that may be given here. */
  readonly flags: readonly Flag[];
  readonly args: Args;
  /** How many words stand after those of the command. */
  readonly bareWords: number;
  /** The flag before, when the word being typed is its value. */
  readonly awaiting: Flag | null;
  /** After `--` nothing is a flag. */
  readonly flagsEnded: boolean;
}

type Tokens = ReturnType<typeof tokensOf>;

const wordsIn = (tokens: Tokens): string[] =>
  tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));

/** What is wrong is left out: there will be a sentence about it when the command is run. */
function note(values: Map<string, Value>, flag: Flag | undefined, written: string | undefined): void {
  if (!flag) return;
  try {
    values.set(flag.name, readValue(flag, written));
  } catch {
    // Not given, then.
  }
}

function alreadyGiven(
  tokens: Tokens,
  flags: readonly Flag[],
  positionals: readonly (readonly [string, string])[],
): Args {
  const values = new Map<string, Value>();
  for (const token of tokens)
    if (token.kind === 'option') note(values, flagNamed(flags, token.name), writtenValue(token));
  for (const [name, word] of positionals) note(values, flagNamed(flags, name), word);
  return new Args(flags, values);
}

function awaitingValue(tokens: Tokens, flags: readonly Flag[]): Flag | null {
  const token = tokens.at(-1);
  const flag = token?.kind === 'option' && token.value === undefined ? flagNamed(flags, token.name) : null;
  return flag && flag.kind !== 'switch' ? flag : null;
}

/** Reads the words so far, the last of them unfinished. Throws when they name no command. */
export function readTyped(groups: readonly Group[], words: readonly string[]): Typed {
  const before = words.slice(0, -1);
  const path = wordsIn(tokensOf(before, globalFlags));
  const isHelp = path[0] === 'help';
  const { group, command } = findCommand(groups, isHelp ? path.slice(1) : path);
  const flags = [...(command?.flags ?? []), ...globalFlags];
  const tokens = tokensOf(before, flags);
  const bareWords = wordsIn(tokens).slice(command?.path.split(' ').length ?? 0);
  return {
    last: words.at(-1) ?? '',
    group,
    command,
    isHelp,
    flags,
    args: alreadyGiven(
      tokens,
      flags,
      bareWords.map((word, index) => [command?.positionals?.[index] ?? '', word] as const),
    ),
    bareWords: bareWords.length,
    awaiting: awaitingValue(tokens, flags),
    flagsEnded: tokens.some(({ kind }) => kind === 'option-terminator'),
  };
}
