import { text, toggle } from '../args/flag.ts';
import type { Group } from '../command.ts';

const about = 'Sign in and save the login';

export const loginGroup: Group = {
  name: 'login',
  about,
  commands: [
    {
      path: 'login',
      about,
      more: [
        'Prompts for a user name and a password that are given neither as flags nor as ALM_USERNAME and ALM_PASSWORD. If several',
        'accounts of the server have a user with your name, use <account id>.<name>.',
        '',
        'You need no API client. To sign in through one: --client-id and --client-secret, or ALM_CLIENT_ID and ALM_CLIENT_SECRET.',
        '',
        'With --browser you sign in on the page of the server, in every way it offers: password, passkey or single sign-on. The token',
        'is then saved in the configuration file: sign in again when it has expired.',
        '',
        'Credentials are saved in the native credential store of your system if there is one (macOS keychain, Windows',
        'credential manager, Secret Service, pass), and tokens are renewed automatically, except after a login with a one-time',
        'code: codes are not saved. Otherwise the token is saved in the configuration file: sign in again when it has expired.',
        'ALM_CREDENTIAL_STORE selects the store: auto (the default), none, keychain, wincred, secret-service or pass.',
        '',
        'The profile saves the addresses, and --apiver, --indent and --timeout if given.',
      ].join('\n'),
      flags: [
        text('client-id', 'API client ID; not needed to sign in as a user', { short: 'i', value: 'id' }),
        text('client-secret', 'API client secret', { short: 's', value: 'secret' }),
        text('grant-type', 'sign in as a user (password) or as the API client itself', {
          short: 'g',
          value: 'grant',
          default: 'password',
          choices: ['password', 'client_credentials'],
        }),
        text('username', 'user name; root for the master user', { short: 'u', value: 'name' }),
        text('password', 'password; prompted if omitted, which keeps it out of your shell history', {
          short: 'p',
          value: 'password',
        }),
        text('otp', 'one-time code or recovery code; prompted if required', { value: 'code' }),
        text('endpoints', 'use saved addresses by name; with --url, save them under this name', {
          value: 'name',
          default: 'prod',
          choices: ['prod', 'dev', 'qa'],
        }),
        toggle('browser', 'sign in in the browser, on the page of the server: also with a passkey'),
        toggle('sso', 'sign in in the browser, with the OpenID provider of the server'),
        toggle('no-browser', 'print the address instead of opening the browser; with --browser or --sso'),
      ],
      formats: [],
      examples: [
        'alm login --url https://almanac.example.com -u root',
        'alm login --url https://almanac.example.com -g client_credentials -i lg-5447826c870e7-x',
        'alm login --profile work --url https://almanac.example.org',
        'alm login --browser --url https://almanac.example.com',
        'alm login --sso --url https://almanac.example.com',
        'alm login --endpoints dev --url https://dev.almanac.example.com',
      ],
      anyProfile: true,
      load: async () => (await import('../commands/login/login.ts')).login,
    },
  ],
};
