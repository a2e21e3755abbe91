import { number, tableFormats, text } from '../../args/flag.ts';
import type { Command } from '../../command.ts';

const scopeFile = { value: 'file', complete: 'file' } as const;
const userName = { value: 'name', complete: 'user' } as const;

/** What a role decides, before anybody has it. */
export const rehearsing: readonly Command[] = [
  {
    path: 'rbac explain',
    about: 'Show whether a user may do something, and which statement decides (master only)',
    more: [
      'With --user, the roles of the user decide; with --scope, a draft; with both, the draft as the only role of the user.',
      'Without --id, shows whether the action is allowed on any resource.',
    ].join('\n'),
    flags: [
      text('action', 'action, such as stack:deleteStack', { value: 'action', required: true }),
      text('user', 'user whose roles decide', userName),
      text('scope', 'JSON file with the draft of a scope; - reads standard input', scopeFile),
      text('id', 'ID or nickname of a stack', { value: 'stack id', complete: 'stack' }),
    ],
    positionals: ['action'],
    only: 'v3',
    formats: tableFormats,
    examples: [
      'alm rbac explain stack:deleteStack --user ann --id shop',
      'alm rbac explain stack:deleteStack --scope scope.json',
    ],
    load: async () => (await import('../../commands/rbac/explain.ts')).explainAccess,
  },
  {
    path: 'rbac rehearse',
    about: 'Show which past requests a scope would decide otherwise (master only)',
    more: 'The scope counts as the only role of everybody, or of --user. Nothing is changed.',
    flags: [
      text('scope', 'JSON file with the scope; - reads standard input', { ...scopeFile, required: true }),
      text('user', 'only the requests of this user', userName),
      number('days', 'number of days to look back', { default: 7, min: 1, max: 365 }),
    ],
    positionals: ['scope'],
    only: 'v3',
    formats: tableFormats,
    examples: ['alm rbac rehearse scope.json', 'alm rbac rehearse --scope scope.json --user ann --days 30'],
    load: async () => (await import('../../commands/rbac/rehearse.ts')).rehearseScope,
  },
];
