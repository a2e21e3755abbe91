import { documentFormats, tableFormats, text, yes } from '../../args/flag.ts';
import type { Group } from '../../command.ts';

const name = text('name', 'name of the secret', { value: 'name', required: true, complete: 'secret' });

export const secretGroup: Group = {
  name: 'secret',
  about: 'Manage the secrets that containers get with container_secrets',
  commands: [
    {
      path: 'secret list',
      about: 'List the secrets of the account, without their values, and the stacks that use them',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm secret list'],
      load: async () => (await import('../../commands/secret/list.ts')).listSecrets,
    },
    {
      path: 'secret set',
      about: 'Create a secret, or give it another value',
      more:
        'The value is read from a file, from standard input, or asked for; it is never an argument, which other users of the machine and the history of ' +
        'the shell would show. The line break after a value of one line is left out. Containers that use the secret are deployed again with the new value.',
      flags: [
        name,
        text('value-file', 'file with the value; - reads standard input', {
          value: 'file',
          complete: 'file',
        }),
      ],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm secret set db-password', 'alm secret set tls-key --value-file tls.key'],
      load: async () => (await import('../../commands/secret/set.ts')).setSecret,
    },
    {
      path: 'secret delete',
      about: 'Delete a secret that no stack uses',
      flags: [name, yes],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm secret delete db-password'],
      load: async () => (await import('../../commands/secret/delete.ts')).deleteSecret,
    },
  ],
};
