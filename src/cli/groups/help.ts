import type { Group } from '../command.ts';

const about = 'Show help for a command';

export const helpGroup: Group = {
  name: 'help',
  about,
  commands: [
    {
      path: 'help',
      about,
      flags: [],
      formats: [],
      examples: ['alm help', 'alm help stack create'],
      // The parser handles it before anything is loaded.
      load: async () => async () => {},
    },
  ],
};
