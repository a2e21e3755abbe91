import { text, toggle } from '../../args/flag.ts';
import type { Group } from '../../command.ts';

const about = 'Set or show the stack that commands use if none is given';

export const useGroup: Group = {
  name: 'use',
  about,
  commands: [
    {
      path: 'use',
      about,
      more: [
        'Sets it for the current directory, in the file .alm-stack, or for the profile in use. That of the directory comes first.',
        'Commands that need a stack and have none use it, with its API version, and say so on standard error. "alm stack delete"',
        'never does. Without arguments, shows the default stack.',
      ].join('\n'),
      flags: [
        text('stack', 'ID or nickname of the stack', {
          value: 'stack',
          completesOnly: true,
          complete: 'stack',
        }),
        toggle('for-profile', 'for all directories, with the profile in use'),
        toggle('clear', 'remove the default'),
      ],
      positionals: ['stack'],
      formats: ['table', 'json', 'yaml', 'min'],
      examples: ['alm use shop', 'alm use', 'alm use shop --for-profile', 'alm use --clear'],
      load: async () => (await import('../../commands/use/use.ts')).useStack,
    },
  ],
};
