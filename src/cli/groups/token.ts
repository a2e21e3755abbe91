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
        text('user', 'list the tokens of this user (master account only)', {
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
