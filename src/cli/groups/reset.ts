import type { Group } from '../command.ts';

const about = 'Sign out and restore the default settings';

export const resetGroup: Group = {
  name: 'reset',
  about,
  commands: [
    {
      path: 'reset',
      about,
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
