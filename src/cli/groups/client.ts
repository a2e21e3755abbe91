import { documentFormats, tableFormats, text } from '../args/flag.ts';
import type { Group } from '../command.ts';

const clientId = text('client-id', 'API client ID', { value: 'id', required: true, complete: 'client' });

export const clientGroup: Group = {
  name: 'client',
  about: 'Manage API clients, which programs sign in with',
  commands: [
    {
      path: 'client list',
      about: 'List the API clients',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm client list'],
      load: async () => (await import('../commands/client/list.ts')).listClients,
    },
    {
      path: 'client create',
      about: 'Create an API client and print its secret once',
      flags: [text('label', 'display name', { value: 'text', required: true })],
      positionals: ['label'],
      only: 'v3',
      formats: documentFormats,
      examples: ["alm client create 'build server'"],
      load: async () => (await import('../commands/client/create.ts')).createClient,
    },
    {
      path: 'client rotate',
      about: 'Replace the secret of an API client and print the new one once',
      flags: [clientId],
      positionals: ['client-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm client rotate <client id>'],
      load: async () => (await import('../commands/client/rotate.ts')).rotateClient,
    },
    {
      path: 'client delete',
      about: 'Delete an API client and revoke its tokens',
      flags: [clientId],
      positionals: ['client-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm client delete <client id>'],
      load: async () => (await import('../commands/client/delete.ts')).deleteClient,
    },
  ],
};
