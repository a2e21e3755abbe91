import { tableFormats, text, toggle } from '../args/flag.ts';
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

const about = 'Show who you are signed in as, and what you may do';

export const whoamiGroup: Group = {
  name: 'whoami',
  about,
  commands: [
    {
      path: 'whoami',
      about,
      more: 'For users; API clients have no session.',
      flags: [
        toggle('permissions', 'list every action: whether you may do it, and why or why not'),
        text('stack', 'permissions for this stack; for any stack if omitted', {
          value: 'stack id',
          complete: 'stack',
          needs: 'permissions',
        }),
      ],
      only: 'v3',
      formats: tableFormats,
      examples: [
        'alm whoami',
        'alm whoami --permissions',
        'alm whoami --permissions --stack <id> --fmt json',
      ],
      load: async () => (await import('../commands/account/whoami.ts')).showSession,
    },
  ],
};
