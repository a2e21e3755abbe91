import type { Flag } from '../args/flag.ts';
import { flagNamed } from '../args/parse.ts';
import type { Group } from '../command.ts';
import type { System } from '../system.ts';
import type { Candidate, Candidates } from './candidate.ts';
import { apiVersion } from './completion-api.ts';
import type { PartialLine } from './partial-line.ts';
import { valuesFor } from './values.ts';

const nextWords = (groups: readonly Group[], group: Group | null): Candidates =>
  group
    ? group.commands.map(({ path, about }) => ({ word: path.split(' ')[1] ?? '', about }))
    : groups.map(({ name, about }) => ({ word: name, about }));

async function flagCandidates(
  flags: readonly Flag[],
  system: System,
  line: PartialLine,
): Promise<Candidate[]> {
  const { command, args } = line;
  const version = await apiVersion(system, line);
  const isApplicable = (flag: Flag): boolean => {
    if (args.has(flag.name) && flag.kind !== 'list') return false;
    if (flag.name === 'fmt') return command === null || command.formats.length > 0;
    if (flag.name === 'apiver') return command?.only === undefined;
    return flag.only === undefined || flag.only === version;
  };
  return flags.filter(isApplicable).map(({ name, about }) => ({ word: `--${name}`, about }));
}

/** Values for `--flag=`, with the flag as a prefix. */
async function inlineValues(name: string, system: System, line: PartialLine): Promise<Candidates> {
  const flag = flagNamed(line.flags, name);
  const values = flag ? await valuesFor(flag, system, line) : [];
  return values === 'files'
    ? values
    : values.map(({ word, about }) => ({ word: `--${name}=${word}`, about }));
}

/** The flag that the next word is a positional value of. */
const nextPositional = ({ command, args, flags, positionals }: PartialLine): Flag | undefined => {
  const flag = flagNamed(flags, command?.positionals?.[positionals] ?? '');
  return flag && !args.has(flag.name) ? flag : undefined;
};

/** Candidates for the last word, not yet filtered by its beginning. */
export async function candidatesFor(
  system: System,
  groups: readonly Group[],
  line: PartialLine,
): Promise<Candidates> {
  const { last, group, command, isHelp, flags, awaiting, flagsEnded } = line;
  if (awaiting) return valuesFor(awaiting, system, line);
  const inline = flagsEnded ? null : /^--([^=]+)=/.exec(last);
  if (inline) return inlineValues(inline[1] ?? '', system, line);
  if (last.startsWith('-') && !flagsEnded) return flagCandidates(flags, system, line);
  if (!command) return nextWords(groups, group);
  if (isHelp) return [];
  const positional = nextPositional(line);
  if (positional) return valuesFor(positional, system, line);
  return last === '' && !flagsEnded ? flagCandidates(command.flags, system, line) : [];
}
