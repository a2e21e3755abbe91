import { documentFormats, tableFormats, text, yes } from '../args/flag.ts';
import type { Group } from '../command.ts';

const newName = text('name', 'user name', { value: 'name', required: true });
const name = { ...newName, complete: 'user' } as const;

export const userGroup: Group = {
  name: 'user',
  about: 'Manage the users of your account',
  commands: [
    {
      path: 'user list',
      about: 'List the users',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm user list'],
      load: async () => (await import('../commands/user/list.ts')).listUsers,
    },
    {
      path: 'user describe',
      about: 'Describe a user',
      flags: [name],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user describe ann'],
      load: async () => (await import('../commands/user/describe.ts')).describeUser,
    },
    {
      path: 'user create',
      about: 'Create a user',
      flags: [
        newName,
        text('password', 'password; prompted if omitted', { value: 'password' }),
        text('email', 'email address, for information only', { value: 'address' }),
      ],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user create ann --email ann@example.com'],
      load: async () => (await import('../commands/user/create.ts')).createUser,
    },
    {
      path: 'user password',
      about: 'Change the password of a user and revoke all of their tokens',
      flags: [
        name,
        text('password', 'new password; prompted if omitted', { value: 'password' }),
        text('current-password', 'required for your own account; prompted if omitted', {
          value: 'password',
        }),
        text('otp', 'one-time code, if your second factor is enabled; prompted if omitted', {
          value: 'code',
        }),
      ],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user password ann'],
      load: async () => (await import('../commands/user/password.ts')).changePassword,
    },
    {
      path: 'user link',
      about: 'Let an identity of the OpenID provider sign in as a user',
      flags: [
        name,
        text('subject', "the provider's id of the person: the claim sub", { value: 'id', required: true }),
        text('issuer', 'URL of the provider; default: the provider of the server', { value: 'url' }),
      ],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user link ann --subject 248289761001'],
      load: async () => (await import('../commands/user/link.ts')).linkUser,
    },
    {
      path: 'user unlink',
      about: 'Unlink a user from the OpenID provider',
      flags: [name],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user unlink ann'],
      load: async () => (await import('../commands/user/link.ts')).unlinkUser,
    },
    {
      path: 'user delete',
      about: 'Delete a user, but not the stacks they created',
      flags: [name, yes],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm user delete ann'],
      load: async () => (await import('../commands/user/delete.ts')).deleteUser,
    },
  ],
};
