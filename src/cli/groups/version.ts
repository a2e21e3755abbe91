import type { Group } from '../command.ts';
import { version } from '../version.ts';

const about = 'Print the version of alm';

export const versionGroup: Group = {
  name: 'version',
  about,
  commands: [
    {
      path: 'version',
      about,
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
