import { documentFormats, tableFormats, text, toggle } from '../args/flag.ts';
import type { Group } from '../command.ts';

const user = text('user', 'sign-ins of this user (master only)', { value: 'name', complete: 'user' });

export const signInGroup: Group = {
  name: 'sign-in',
  about: 'List and end sign-ins',
  commands: [
    {
      path: 'sign-in list',
      about: 'List where you are signed in, or where a user is',
      flags: [user],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm sign-in list', 'alm sign-in list --user ann'],
      load: async () => (await import('../commands/sign-in/list.ts')).listSignIns,
    },
    {
      path: 'sign-in revoke',
      about: 'End one sign-in, or all others',
      flags: [
        text('token-id', 'token ID from the list', { value: 'id' }),
        toggle('all', 'end all of your sign-ins except this one; with --user, all of the user'),
        user,
      ],
      positionals: ['token-id'],
      only: 'v3',
      formats: documentFormats,
      examples: [
        'alm sign-in revoke 4hT0aZp3Qx9b',
        'alm sign-in revoke --all',
        'alm sign-in revoke --all --user ann',
      ],
      load: async () => (await import('../commands/sign-in/revoke.ts')).revokeSignIn,
    },
    {
      path: 'sign-in recent',
      about: 'List clients, users, roles, tokens, passkeys and sign-ins made since a time (master only)',
      flags: [text('since', 'time with offset; default: 30 days ago', { value: 'time' })],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm sign-in recent', 'alm sign-in recent --since 2030-01-01T00:00:00Z'],
      load: async () => (await import('../commands/sign-in/recent.ts')).listRecentAccess,
    },
    {
      path: 'sign-in end-recent',
      about: 'End sign-ins, tokens, passkeys, API clients and key links made since a time (master only)',
      flags: [text('since', 'time with offset', { value: 'time', required: true })],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm sign-in end-recent --since 2030-01-01T00:00:00Z'],
      load: async () => (await import('../commands/sign-in/recent.ts')).endRecent,
    },
  ],
};

const passkeyId = text('passkey-id', 'passkey ID from the list', { value: 'id', required: true });

export const passkeyGroup: Group = {
  name: 'passkey',
  about: 'List, rename and delete passkeys; the console adds them',
  commands: [
    {
      path: 'passkey list',
      about: 'List your passkeys, or those of a user',
      flags: [text('user', 'passkeys of this user (master only)', { value: 'name', complete: 'user' })],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm passkey list', 'alm passkey list --user ann'],
      load: async () => (await import('../commands/passkey/list.ts')).listPasskeys,
    },
    {
      path: 'passkey rename',
      about: 'Rename a passkey',
      flags: [passkeyId, text('name', 'new name', { value: 'text', required: true })],
      positionals: ['passkey-id', 'name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm passkey rename <passkey id> laptop'],
      load: async () => (await import('../commands/passkey/change.ts')).renamePasskey,
    },
    {
      path: 'passkey delete',
      about: 'Delete a passkey, also of another user (master only)',
      flags: [passkeyId],
      positionals: ['passkey-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm passkey delete <passkey id>'],
      load: async () => (await import('../commands/passkey/change.ts')).deletePasskey,
    },
  ],
};
