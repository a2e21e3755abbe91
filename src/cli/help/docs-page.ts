import type { Flag } from '../args/flag.ts';
import { globalFlags } from '../args/global-flags.ts';
import type { Command, Group } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { groups } from '../groups.ts';
import { defaults, sources } from '../settings/settings.ts';
import { introduction } from './docs-introduction.ts';
import { commandUsage, flagNotes, flagUsage } from './help.ts';

// Generates docs/cli.md from the table of commands that the program runs.

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
  ...(only ? [`Supported in API ${only} only.`] : []),
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
    '| Code | Meaning |',
    Object.values(exitCodes).map(([number, meaning]) => [String(number), cell(meaning)]),
  ),
  '`stack ssh` exits with the exit code of the remote shell.',
  '',
];

const settingsChapter = (): string[] => [
  '## Settings',
  '',
  'A flag overrides the environment variable, which overrides the configuration file, which overrides the default.',
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

const settingsText = `\`alm\` uses the first token it finds: \`--token\`; \`ALM_TOKEN\`; a token for the user in the environment
(\`ALM_USERNAME\` and \`ALM_PASSWORD\`); the token saved by \`alm login\`, in the credential store or in the file; a token for the API
client in the environment (\`ALM_CLIENT_ID\` and \`ALM_CLIENT_SECRET\`). A saved token is sent only to the server that issued it.

The configuration file is \`ALM_CONFIG\`, or \`$XDG_CONFIG_HOME/alm/config.yml\`, or \`~/.alm/config.yml\`. \`alm login\`, \`alm profile\` and
\`alm reset\` write it as JSON. You can edit it as YAML, but these commands remove comments.

\`alm\` supports the proxy variables \`HTTPS_PROXY\`, \`HTTP_PROXY\`, \`ALL_PROXY\` and \`NO_PROXY\`, in upper and lower case. A proxy is an
\`http://\` or \`https://\` URL, with a user name and password if it requires them. \`NO_PROXY\` is a list of host names (including their
subdomains), IP addresses, address blocks such as \`10.0.0.0/8\`, and \`*\`. Loopback addresses never use a proxy.

### Profiles

A profile is a server with its login and settings. The top level of the file is the profile \`default\`; the others are under
\`profiles\`. The member \`profile\` names the current profile, unless \`--profile\` or \`ALM_PROFILE\` selects another.

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

\`alm login --endpoints dev --url https://dev.example.com\` saves URLs under a name (\`prod\`, \`dev\` or \`qa\`). Later,
\`alm login --endpoints dev\` uses them.
`;

export const cliPage = (): string =>
  [
    introduction,
    ...exitCodeChapter(),
    ...settingsChapter(),
    '## Global flags',
    '',
    'Before or after the command. A value follows `=` or a space.',
    '',
    ...flagTable(globalFlags),
    '## Commands',
    '',
    ...groups.flatMap(chapterOf),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
