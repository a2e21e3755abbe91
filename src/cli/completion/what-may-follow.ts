import type { Flag } from '../args/flag.ts';
import { flagNamed } from '../args/parse.ts';
import type { Group } from '../command.ts';
import type { System } from '../system.ts';
import type { Candidate, Candidates } from './candidate.ts';
import type { Typed } from './typed.ts';
import { valuesFor } from './values.ts';
import { versionInUse } from './version-in-use.ts';

const nextWords = (groups: readonly Group[], group: Group | null): Candidates =>
  group
    ? group.commands.map(({ path, about }) => ({ word: path.split(' ')[1] ?? '', about }))
    : groups.map(({ name, about }) => ({ word: name, about }));

async function flagsToOffer(flags: readonly Flag[], system: System, typed: Typed): Promise<Candidate[]> {
  const { command, args } = typed;
  const version = await versionInUse(system, typed);
  const isOfUse = (flag: Flag): boolean => {
    if (args.has(flag.name) && flag.kind !== 'list') return false;
    if (flag.name === 'fmt') return command === null || command.formats.length > 0;
    if (flag.name === 'apiver') return command?.only === undefined;
    return flag.only === undefined || flag.only === version;
  };
  return flags.filter(isOfUse).map(({ name, about }) => ({ word: `--${name}`, about }));
}

/** `--flag=` and the beginning of its value. */
async function inlineValues(name: string, system: System, typed: Typed): Promise<Candidates> {
  const flag = flagNamed(typed.flags, name);
  const values = flag ? await valuesFor(flag, system, typed) : [];
  return values === 'files'
    ? values
    : values.map(({ word, about }) => ({ word: `--${name}=${word}`, about }));
}

/** The flag that the next word is the value of without naming it. */
const bareFlag = ({ command, args, flags, bareWords }: Typed): Flag | undefined => {
  const flag = flagNamed(flags, command?.positionals?.[bareWords] ?? '');
  return flag && !args.has(flag.name) ? flag : undefined;
};

/** All that may stand where the last word is being typed, whether or not it begins like it. */
export async function whatMayFollow(
  system: System,
  groups: readonly Group[],
  typed: Typed,
): Promise<Candidates> {
  const { last, group, command, isHelp, flags, awaiting, flagsEnded } = typed;
  if (awaiting) return valuesFor(awaiting, system, typed);
  const inline = flagsEnded ? null : /^--([^=]+)=/.exec(last);
  if (inline) return inlineValues(inline[1] ?? '', system, typed);
  if (last.startsWith('-') && !flagsEnded) return flagsToOffer(flags, system, typed);
  if (!command) return nextWords(groups, group);
  if (isHelp) return [];
  const positionals = bareFlag(typed);
  if (positionals) return valuesFor(positionals, system, typed);
  return last === '' && !flagsEnded ? flagsToOffer(command.flags, system, typed) : [];
}
