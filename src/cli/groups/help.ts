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

const versionAbout = 'Print the version of alm, and with --fmt that of the server too';

export const versionGroup: Group = {
  name: 'version',
  about: versionAbout,
  commands: [
    {
      path: 'version',
      about: versionAbout,
      flags: [],
      standalone: true,
      formats: ['raw', 'json', 'yaml', 'min'],
      examples: ['alm version', 'alm version --fmt json'],
      // Too small for a lazily loaded module, which only the other formats need.
      load: async () => async (context) => {
        const { out, args } = context;
        if (out.format === 'raw' && !args.has('query')) return out.data(`${version}\n`);
        return (await import('../commands/version.ts')).printVersions(context);
      },
    },
  ],
};
