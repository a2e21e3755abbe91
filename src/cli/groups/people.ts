import { documentFormats, number, tableFormats, text } from '../args/flag.ts';
import type { Group } from '../command.ts';

const newName = text('name', 'the user', { value: 'name', required: true });
const name = { ...newName, complete: 'user' } as const;

export const userGroup: Group = {
  name: 'user',
  about: 'The users of your account',
  commands: [
    {
      path: 'user list',
      about: 'List the users',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm user list'],
      load: async () => (await import('../commands/people/users.ts')).listUsers,
    },
    {
      path: 'user describe',
      about: 'Describe a user',
      flags: [name],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user describe ann'],
      load: async () => (await import('../commands/people/users.ts')).describeUser,
    },
    {
      path: 'user create',
      about: 'Create a user',
      flags: [
        newName,
        text('password', 'asked for when left out', { value: 'password' }),
        text('email', 'only kept and shown', { value: 'address' }),
      ],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user create ann --email ann@example.com'],
      load: async () => (await import('../commands/people/users.ts')).createUser,
    },
    {
      path: 'user password',
      about: 'Change a password: every token of the user ends',
      flags: [
        name,
        text('password', 'the new one; asked for when left out', { value: 'password' }),
        text('current-password', 'needed for your own; asked for when left out', { value: 'password' }),
      ],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user password ann'],
      load: async () => (await import('../commands/people/users.ts')).changePassword,
    },
    {
      path: 'user delete',
      about: 'Delete a user; the stacks it made stay',
      flags: [name],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user delete ann'],
      load: async () => (await import('../commands/people/users.ts')).deleteUser,
    },
  ],
};

const clientId = text('client-id', 'the API client', { value: 'id', required: true, complete: 'client' });

export const clientGroup: Group = {
  name: 'client',
  about: 'API clients: what programs sign in with',
  commands: [
    {
      path: 'client list',
      about: 'List the API clients',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm client list'],
      load: async () => (await import('../commands/people/clients.ts')).listClients,
    },
    {
      path: 'client create',
      about: 'Create an API client; its secret is shown this once',
      flags: [text('label', 'what people call it', { value: 'text', required: true })],
      positionals: ['label'],
      only: 'v3',
      formats: documentFormats,
      examples: ["alm client create 'build server'"],
      load: async () => (await import('../commands/people/clients.ts')).createClient,
    },
    {
      path: 'client rotate',
      about: 'Give an API client a new secret',
      flags: [clientId],
      positionals: ['client-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm client rotate <client id>'],
      load: async () => (await import('../commands/people/clients.ts')).rotateClient,
    },
    {
      path: 'client delete',
      about: 'Delete an API client; its tokens end',
      flags: [clientId],
      positionals: ['client-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm client delete <client id>'],
      load: async () => (await import('../commands/people/clients.ts')).deleteClient,
    },
  ],
};

const filters = [
  text('actor', 'user name, client id or stack id', { value: 'name' }),
  text('action', 'such as stack:deleteStack', { value: 'action' }),
  text('resource', 'such as mrn:alm:stack:<id>', { value: 'resource' }),
  text('decision', 'what roles said', { value: 'decision', choices: ['allowed', 'denied'] }),
  text('from', 'from this time on, ISO 8601', { value: 'time' }),
  text('to', 'before this time, ISO 8601', { value: 'time' }),
];

export const auditGroup: Group = {
  name: 'audit',
  about: 'Who did what',
  commands: [
    {
      path: 'audit list',
      about: 'List who did what, newest first',
      flags: [...filters, number('limit', 'how many entries', { default: 100, min: 1, max: 100_000 })],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm audit list --actor ann --decision denied'],
      load: async () => (await import('../commands/people/audit.ts')).listAudit,
    },
    {
      path: 'audit export',
      about: 'Save who did what, oldest first, as lines of JSON',
      flags: filters,
      only: 'v3',
      formats: ['raw'],
      examples: ['alm audit export --out audit.ndjson'],
      load: async () => (await import('../commands/people/audit.ts')).exportAudit,
    },
  ],
};
