import { documentFormats, list, number, tableFormats, text } from '../args/flag.ts';
import type { Group } from '../command.ts';

export const tokenGroup: Group = {
  name: 'token',
  about: 'Manage personal access tokens, which your programs use instead of your password',
  commands: [
    {
      path: 'token create',
      about: 'Create a personal access token and print it once',
      more: [
        'The token has your rights, limited to the roles or the scope you name, and never more than you have when it is used.',
        'Programs use it as ALM_TOKEN, or with --token.',
      ].join('\n'),
      flags: [
        text('name', 'what the token is for', { value: 'text', required: true }),
        list('role', 'one of your roles; repeat it for several', { value: 'role id', complete: 'role' }),
        text('scope', 'JSON file with a scope, instead of roles; - reads standard input', {
          value: 'file',
          complete: 'file',
        }),
        number('days', 'days until the token expires', { default: 30, min: 1, max: 3660 }),
        text('current-password', 'your password; prompted if omitted', { value: 'password' }),
        text('otp', 'one-time code, if your second factor is enabled; prompted if omitted', {
          value: 'code',
        }),
      ],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: [
        'alm token create deploy --role <role id> --days 90',
        'alm token create reports --scope scope.json',
      ],
      load: async () => (await import('../commands/token/create.ts')).createToken,
    },
    {
      path: 'token list',
      about: 'List personal access tokens',
      flags: [
        text('user', 'list the tokens of this user (master only)', {
          value: 'name',
          complete: 'user',
        }),
      ],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm token list', 'alm token list --user ann'],
      load: async () => (await import('../commands/token/list.ts')).listTokens,
    },
    {
      path: 'token revoke',
      about: 'Revoke a personal access token',
      flags: [text('token-id', 'token ID from the list', { value: 'id', required: true })],
      positionals: ['token-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm token revoke <token id>'],
      load: async () => (await import('../commands/token/revoke.ts')).revokeToken,
    },
  ],
};

const password = text('current-password', 'your password; prompted if omitted', { value: 'password' });

export const otpGroup: Group = {
  name: 'otp',
  about: 'Manage your second factor: one-time codes of an authenticator app',
  commands: [
    {
      path: 'otp enable',
      about: 'Enable one-time codes for your sign-ins and print the recovery codes once',
      flags: [password],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm otp enable'],
      load: async () => (await import('../commands/otp/enable.ts')).enableCodes,
    },
    {
      path: 'otp status',
      about: 'Show whether one-time codes are enabled',
      flags: [],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm otp status'],
      load: async () => (await import('../commands/otp/status.ts')).showStatus,
    },
    {
      path: 'otp disable',
      about: 'Disable one-time codes',
      flags: [
        password,
        text('otp', 'one-time code or recovery code; prompted if omitted', { value: 'code' }),
      ],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm otp disable'],
      load: async () => (await import('../commands/otp/disable.ts')).disableCodes,
    },
    {
      path: 'otp reset',
      about: 'Remove the second factor of a user who lost it (master only)',
      flags: [text('name', 'user name', { value: 'name', required: true, complete: 'user' })],
      positionals: ['name'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm otp reset ann'],
      load: async () => (await import('../commands/otp/reset.ts')).resetCodes,
    },
  ],
};
