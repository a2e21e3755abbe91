import { tableFormats, toggle } from '../args/flag.ts';
import type { Group } from '../command.ts';

const about = 'Show all stacks of both API versions, those that need attention first';

export const statusGroup: Group = {
  name: 'status',
  about,
  commands: [
    {
      path: 'status',
      about,
      more: [
        'Failed stacks with their reason, those whose application does not serve, operations in progress with the time left, drifted stacks,',
        'then the others. The exit code is 3 if a stack has failed, or its application is degraded or down.',
        'With --watch, shows changes until Ctrl-C, and the exit code is 130. Where standard output is not a terminal, each change is',
        'one line; the formats json, raw and min then print one object per line, and a deleted stack has "deleted": true.',
      ].join('\n'),
      flags: [toggle('watch', 'keep showing changes until Ctrl-C', { short: 'w' })],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm status', 'alm status --watch', 'alm status --fmt json'],
      load: async () => (await import('../commands/status/status.ts')).showStatus,
    },
  ],
};
