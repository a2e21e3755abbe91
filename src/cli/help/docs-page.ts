import type { Flag } from '../args/flag.ts';
import { globalFlags } from '../args/global-flags.ts';
import type { Command, Group } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { groups } from '../groups.ts';
import { defaults, sources } from '../settings/settings.ts';
import { introduction } from './docs-introduction.ts';
import { commandUsage, flagNotes, flagUsage } from './help.ts';

/** docs/cli.md, from the same table the program runs from. */

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('\n', ' ');

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const tableOf = (header: string, rows: readonly (readonly string[])[]): string[] => [
  header,
  header.replaceAll(/[^|]+/g, '---'),
  ...rows.map((row) => `| ${row.join(' | ')} |`),
  '',
];

const flagTable = (flags: readonly Flag[]): string[] =>
  tableOf(
    '| Flag | | |',
    flags.map((flag) => [code(flagUsage(flag)), cell(flag.about), cell(flagNotes(flag).join('; '))]),
  );

const factsOf = ({ only, formats }: Command): string[] => [
  ...(only ? [`In ${only} of the interface only.`] : []),
  ...(formats.length > 0 ? [`\`--fmt\`: ${formats.join(', ')}.`] : []),
];

const sectionOf = (command: Command): string[] => {
  const facts = factsOf(command);
  return [
    `#### alm ${command.path}`,
    '',
    `${command.about}.`,
    '',
    ...(command.more ? [...command.more.split('\n').map(cell), ''] : []),
    ...(facts.length > 0 ? [facts.join(' '), ''] : []),
    '```sh',
    `# ${commandUsage(command)}`,
    ...command.examples,
    '```',
    '',
    ...(command.flags.length > 0 ? flagTable(command.flags) : []),
  ];
};

const chapterOf = (group: Group): string[] => [
  `### ${group.name}`,
  '',
  ...(group.commands.length > 1 ? [`${group.about}.`, ''] : []),
  ...group.commands.flatMap(sectionOf),
];

const exitCodeChapter = (): string[] => [
  '## Exit codes',
  '',
  ...tableOf(
    '| Code | Means |',
    Object.values(exitCodes).map(([number, meaning]) => [String(number), cell(meaning)]),
  ),
  '`stack ssh` ends with what the shell on the instance ended with.',
  '',
];

const settingsChapter = (): string[] => [
  '## Settings',
  '',
  'A flag counts first, then the variable, then the configuration file, then the default.',
  '',
  ...tableOf(
    '| Flag | Variable | In the file | Default | |',
    sources.map(({ setting, flag, variable, about }) => [
      code(`--${flag}`),
      code(variable),
      code(setting),
      defaults[setting] === '' ? '' : code(String(defaults[setting])),
      cell(about),
    ]),
  ),
  settingsText,
];

const settingsText = `The token that is used: \`--token\`; \`ALM_TOKEN\`; one for the credentials in the environment (\`ALM_CLIENT_ID\` and the others);
the one \`alm login\` saved, in the native store or in the file. A saved one is only ever sent to the server it came from.

The file is what \`ALM_CONFIG\` names, else \`$XDG_CONFIG_HOME/alm/config.yml\`, else \`~/.alm/config.yml\`. \`alm login\`,
\`alm profile\` and \`alm reset\` write it, as JSON, which is YAML too; by hand it may be any YAML, whose comments they do not keep.

Proxies of the environment are used as other programs use them: \`HTTPS_PROXY\`, \`HTTP_PROXY\`, \`ALL_PROXY\` and \`NO_PROXY\`, in small
letters too; \`http://\` and \`https://\` ones, with a name and a password where they have them. \`NO_PROXY\` takes names, which stand for the
names below them too, addresses, blocks such as \`10.0.0.0/8\`, and \`*\`. What is on the same machine is reached without one.

### Profiles

A profile is a server with its sign-in and its settings. The top level of the file is the profile \`default\`; others stand under
\`profiles\`, and \`profile\` names the one used where neither \`--profile\` nor \`ALM_PROFILE\` does.

\`\`\`yaml
access_token: ""
api_url: http://127.0.0.1:8080
api_version: v3
profile: work
profiles:
  work:
    api_url: https://almanac.example.org
    timeout: 60
\`\`\`

\`\`\`sh
alm login --profile work --url https://almanac.example.org
alm profile use work
alm stack list --profile default
\`\`\`

\`alm login --endpoints dev --url https://dev.example.com\` remembers addresses under a name (\`prod\`, \`dev\` or \`qa\`), and later
\`alm login --endpoints dev\` is enough.
`;

export const cliPage = (): string =>
  [
    introduction,
    ...exitCodeChapter(),
    ...settingsChapter(),
    '## Flags of every command',
    '',
    'Before or after the words of the command. A value may follow `=` or a space.',
    '',
    ...flagTable(globalFlags),
    '## Commands',
    '',
    ...groups.flatMap(chapterOf),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
