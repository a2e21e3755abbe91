import { documentFormats, stackId, text } from '../args/flag.ts';
import type { Group } from '../command.ts';
import { dataFlags } from './stack-flags.ts';

export const svrconfGroup: Group = {
  name: 'svrconf',
  about: 'Show and update the server configuration of v2 stacks',
  commands: [
    {
      path: 'svrconf show',
      about: 'Show the server configuration of a stack',
      flags: [stackId({ short: 'i' })],
      positionals: ['id'],
      only: 'v2',
      formats: documentFormats,
      examples: ['alm svrconf show --id <id>'],
      load: async () => (await import('../commands/svrconf/show.ts')).showServerConfig,
    },
    {
      path: 'svrconf update',
      about: 'Update the server configuration of a stack',
      more: 'Each option is sent as a separate request. A value may contain colons; escape a comma as \\, (with a backslash).',
      flags: [
        stackId({ short: 'i' }),
        text('env', 'new environment: comma-separated KEY:value pairs; null removes all variables', {
          short: 'e',
          value: 'pairs',
        }),
        text('filepath', 'URL of the code', { short: 'p', value: 'url' }),
        ...dataFlags,
      ],
      positionals: ['id'],
      only: 'v2',
      formats: [],
      examples: [
        'alm svrconf update --id <id> --env MODE:live,LEVEL:3',
        'alm svrconf update --id <id> --env null',
      ],
      load: async () => (await import('../commands/svrconf/update.ts')).updateServerConfig,
    },
  ],
};
