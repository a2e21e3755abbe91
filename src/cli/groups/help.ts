import type { Group } from '../command.ts';
import { version } from '../version.ts';

const helpAbout = 'Show help for a command';

export const helpGroup: Group = {
  name: 'help',
  about: helpAbout,
  commands: [
    {
      path: 'help',
      about: helpAbout,
      flags: [],
      formats: [],
      examples: ['alm help', 'alm help stack create'],
      // The parser handles it before anything is loaded.
      load: async () => async () => {},
    },
  ],
};

const versionAbout = 'Print the version of alm';

export const versionGroup: Group = {
  name: 'version',
  about: versionAbout,
  commands: [
    {
      path: 'version',
      about: versionAbout,
      flags: [],
      standalone: true,
      formats: [],
      examples: ['alm version'],
      // Too small for a lazily loaded module.
      load:
        async () =>
        async ({ out }) =>
          out.data(`${version}\n`),
    },
  ],
};
