import { text } from '../args/flag.ts';
import type { Group } from '../command.ts';

export const loginGroup: Group = {
  name: 'login',
  about: 'Sign in, and remember it',
  commands: [
    {
      path: 'login',
      about: 'Sign in, and remember it',
      more: [
        'What is not given by flags or ALM_CLIENT_ID, ALM_CLIENT_SECRET, ALM_USERNAME and ALM_PASSWORD is asked for.',
        'What was signed in with is kept in the native store of your system where there is one (macOS keychain, Windows',
        'credential manager, Secret Service, pass), and tokens are then renewed by themselves. Otherwise the token is kept',
        'in the configuration file: sign in again when it has expired. ALM_CREDENTIAL_STORE says which one: auto (the',
        'default), none, keychain, wincred, secret-service or pass.',
        '',
        'The profile remembers where it signed in, and --apiver, --indent and --timeout where they are given.',
      ].join('\n'),
      flags: [
        text('client-id', 'id of the API client', { short: 'i', value: 'id' }),
        text('client-secret', 'its secret', { short: 's', value: 'secret' }),
        text('grant-type', 'as a user, or as the API client itself', {
          short: 'g',
          value: 'grant',
          default: 'password',
          choices: ['password', 'client_credentials'],
        }),
        text('username', 'user; the master account is root', { short: 'u', value: 'name' }),
        text('password', 'asked for when left out, which keeps it out of your history', {
          short: 'p',
          value: 'password',
        }),
        text('endpoints', 'addresses by name; with --url they are remembered under it', {
          value: 'name',
          default: 'prod',
          choices: ['prod', 'dev', 'qa'],
        }),
      ],
      formats: [],
      examples: [
        'alm login --url https://almanac.example.com -i lg-5447826c870e7-x -u root',
        'alm login --profile work --url https://almanac.example.org',
        'alm login --endpoints dev --url https://dev.almanac.example.com',
      ],
      anyProfile: true,
      load: async () => (await import('../commands/session/login.ts')).login,
    },
  ],
};

export const resetGroup: Group = {
  name: 'reset',
  about: 'Forget the sign-in and go back to the defaults',
  commands: [
    {
      path: 'reset',
      about: 'Forget the sign-in and go back to the defaults',
      more: [
        'Of the profile in use. What the native store keeps of it is deleted. Other profiles stay.',
        'What cannot be understood in the configuration file goes back to the defaults too.',
      ].join('\n'),
      flags: [],
      formats: [],
      examples: ['alm reset', 'alm reset --profile work'],
      anyProfile: true,
      anyConfig: true,
      load: async () => (await import('../commands/session/reset.ts')).reset,
    },
  ],
};

export const profileGroup: Group = {
  name: 'profile',
  about: 'Work with several servers',
  commands: [
    {
      path: 'profile list',
      about: 'List the profiles of the configuration file',
      flags: [],
      formats: ['table', 'json', 'yaml', 'min'],
      examples: ['alm profile list'],
      anyProfile: true,
      load: async () => (await import('../commands/session/profiles.ts')).listProfiles,
    },
    {
      path: 'profile use',
      about: 'Use a profile when none is named',
      flags: [text('name', 'the profile', { value: 'name', required: true, complete: 'profile' })],
      positionals: ['name'],
      formats: [],
      examples: ['alm profile use work'],
      anyProfile: true,
      load: async () => (await import('../commands/session/profiles.ts')).selectProfile,
    },
    {
      path: 'profile delete',
      about: 'Forget a profile and what it signed in with',
      flags: [text('name', 'the profile', { value: 'name', required: true, complete: 'profile' })],
      positionals: ['name'],
      formats: [],
      examples: ['alm profile delete work'],
      anyProfile: true,
      load: async () => (await import('../commands/session/profiles.ts')).deleteProfile,
    },
  ],
};
