import { text } from '../args/flag.ts';
import type { Group } from '../command.ts';

const name = text('name', 'profile name', { value: 'name', required: true, complete: 'profile' });

export const profileGroup: Group = {
  name: 'profile',
  about: 'Manage profiles for several servers',
  commands: [
    {
      path: 'profile list',
      about: 'List the profiles in the configuration file',
      flags: [],
      formats: ['table', 'json', 'yaml', 'min'],
      examples: ['alm profile list'],
      anyProfile: true,
      load: async () => (await import('../commands/profile/list.ts')).listProfiles,
    },
    {
      path: 'profile use',
      about: 'Set the current profile',
      flags: [name],
      positionals: ['name'],
      formats: [],
      examples: ['alm profile use work'],
      anyProfile: true,
      load: async () => (await import('../commands/profile/use.ts')).selectProfile,
    },
    {
      path: 'profile delete',
      about: 'Delete a profile and its saved login',
      flags: [name],
      positionals: ['name'],
      formats: [],
      examples: ['alm profile delete work'],
      anyProfile: true,
      load: async () => (await import('../commands/profile/delete.ts')).deleteProfile,
    },
  ],
};

const aboutReset = 'Sign out and restore the default settings';

export const resetGroup: Group = {
  name: 'reset',
  about: aboutReset,
  commands: [
    {
      path: 'reset',
      about: aboutReset,
      more: [
        'Resets the profile in use and deletes its credentials from the native credential store. Other profiles are unchanged.',
        'Invalid settings in the configuration file are reset to the defaults too.',
      ].join('\n'),
      flags: [],
      formats: [],
      examples: ['alm reset', 'alm reset --profile work'],
      anyProfile: true,
      anyConfig: true,
      load: async () => (await import('../commands/reset.ts')).reset,
    },
  ],
};
