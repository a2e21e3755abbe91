import { clientKinds, defaultClientKind } from '../../contract/client-kinds.ts';
import { documentFormats, tableFormats, text } from '../args/flag.ts';
import type { Group } from '../command.ts';

const clientId = text('client-id', 'API client ID', { value: 'id', required: true, complete: 'client' });

const kind = text(
  'kind',
  'sign-in: users sign in through it; agent: agent endpoints only; service: what its roles allow; owner: all of v2',
  { value: 'kind', choices: clientKinds },
);
const roleId = text('role-id', 'role ID', { value: 'id', required: true, complete: 'role' });

export const clientGroup: Group = {
  name: 'client',
  about: 'Manage API clients, which programs sign in with',
  commands: [
    {
      path: 'client list',
      about: 'List the API clients, with their kinds, their roles and who signs in through them',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm client list'],
      load: async () => (await import('../commands/client/list.ts')).listClients,
    },
    {
      path: 'client create',
      about: 'Create an API client and print its secret once',
      flags: [
        text('label', 'display name', { value: 'text', required: true }),
        { ...kind, default: defaultClientKind },
      ],
      positionals: ['label'],
      only: 'v3',
      formats: documentFormats,
      examples: ["alm client create 'build server' --kind service", "alm client create 'company portal'"],
      load: async () => (await import('../commands/client/create.ts')).createClient,
    },
    {
      path: 'client kind',
      about: 'Change the kind of an API client and revoke all tokens issued through it',
      flags: [clientId, { ...kind, required: true }],
      positionals: ['client-id', 'kind'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm client kind <client id> sign-in'],
      load: async () => (await import('../commands/client/kind.ts')).changeClientKind,
    },
    {
      path: 'client attach',
      about: 'Attach a role to an API client of kind service',
      flags: [clientId, roleId],
      positionals: ['client-id', 'role-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm client attach <client id> <role id>'],
      load: async () => (await import('../commands/client/roles.ts')).attachClientRole,
    },
    {
      path: 'client detach',
      about: 'Detach a role from an API client',
      flags: [clientId, roleId],
      positionals: ['client-id', 'role-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm client detach <client id> <role id>'],
      load: async () => (await import('../commands/client/roles.ts')).detachClientRole,
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
