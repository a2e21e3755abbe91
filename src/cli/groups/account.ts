import { tableFormats } from '../args/flag.ts';
import type { Group } from '../command.ts';

export const accountGroup: Group = {
  name: 'account',
  about: 'Show your account',
  commands: [
    {
      path: 'account show',
      about: 'Show what your account uses, and its quotas',
      more: 'Only the operator of the server can change quotas.',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm account show', 'alm account show --fmt json'],
      load: async () => (await import('../commands/account/show.ts')).showAccount,
    },
  ],
};
