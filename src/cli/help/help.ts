import type { Flag } from '../args/flag.ts';
import { globalFlags } from '../args/global-flags.ts';
import type { Command, Group } from '../command.ts';

/** `-f, --fmt <format>` */
export const flagUsage = (flag: Flag): string => {
  const value = flag.kind === 'switch' ? '' : ` <${flag.value}>`;
  return `${flag.short ? `-${flag.short}, ` : ''}--${flag.name}${value}`;
};

const defaultNote = (flag: Flag): string =>
  flag.default === undefined || flag.default === false || flag.default === ''
    ? ''
    : `default ${String(flag.default)}`;

const rangeNote = (flag: Flag): string =>
  flag.kind === 'number' && flag.max !== undefined ? `${flag.min ?? 0} to ${flag.max}` : '';

/** Notes after the description of a flag: choices, range, default, requirements. */
export const flagNotes = (flag: Flag): string[] =>
  [
    flag.kind !== 'number' && flag.kind !== 'switch' && flag.choices ? flag.choices.join(' or ') : '',
    rangeNote(flag),
    defaultNote(flag),
    flag.required === true ? 'required' : flag.required ? `required in ${flag.required}` : '',
    flag.only ? `${flag.only} only` : '',
    flag.needs ? `requires --${flag.needs}` : '',
    flag.kind === 'list' ? 'may be repeated' : '',
    flag.aliases ? `also --${flag.aliases.join(', --')}` : '',
  ].filter((note) => note !== '');

const flagLines = (flags: readonly Flag[]): string[] => {
  const rows = flags.map((flag) => {
    const notes = flagNotes(flag);
    const usage = flag.short ? flagUsage(flag) : `    ${flagUsage(flag)}`;
    return [usage, `${flag.about}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`] as const;
  });
  return columns(rows);
};

const columns = (entries: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
};

const positionalUsage = ({ positionals = [], flags }: Command): string =>
  positionals
    .map((name) => flags.find((flag) => flag.name === name))
    .map((flag) => (flag && flag.kind !== 'switch' ? ` [<${flag.value}>]` : ''))
    .join('');

export const commandUsage = (command: Command): string =>
  `alm ${command.path}${positionalUsage(command)}${command.flags.length > 0 ? ' [flags]' : ''}`;

const commandHelp = (command: Command): string[] => [
  `${command.about}.`,
  ...(command.more ? ['', command.more] : []),
  ...(command.only ? ['', `Supported in API ${command.only} only.`] : []),
  '',
  'Usage:',
  `  ${commandUsage(command)}`,
  ...(command.flags.length > 0 ? ['', 'Flags:', ...flagLines(command.flags)] : []),
  ...(command.examples.length > 0 ? ['', 'Examples:', ...command.examples.map((each) => `  ${each}`)] : []),
  '',
  'Global flags: alm help',
];

const groupHelp = (group: Group): string[] => [
  `${group.about}.`,
  '',
  'Commands:',
  ...columns(group.commands.map((command) => [`alm ${command.path}`, command.about])),
  '',
  `For help on a command: alm ${group.name} <command> --help`,
];

const allHelp = (groups: readonly Group[]): string[] => [
  'Creates, describes, updates and deletes application stacks, and deploys to them.',
  '',
  'Usage:',
  '  alm <command> [flags]',
  '',
  'Commands:',
  ...columns(groups.map(({ name, about }) => [name, about])),
  '',
  'Global flags (a value follows = or a space):',
  ...flagLines(globalFlags),
  '',
  'For help on a command: alm <command> --help',
];

/** The help of a command, of a group, or of everything. */
export const helpText = (groups: readonly Group[], about: Command | Group | null): string => {
  const lines = about === null ? allHelp(groups) : 'path' in about ? commandHelp(about) : groupHelp(about);
  return lines.map((line) => `${line}\n`).join('');
};
