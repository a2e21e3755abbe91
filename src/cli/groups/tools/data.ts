import { documentFormats, tableFormats, text, yes } from '../../args/flag.ts';
import type { Group } from '../../command.ts';
import { dataFlags, waitFlags } from '../stack-flags.ts';

const id = (complete: 'data' | 'kept-data') =>
  text('id', 'ID of the store of data', { value: 'data id', required: true, complete });

export const dataGroup: Group = {
  name: 'data',
  about: 'List, restore and forget what holds data: databases, caches, files and disks of servers',
  commands: [
    {
      path: 'data list',
      about: 'List what holds data, and what is kept of what is gone',
      more: 'Without --state: what exists, what is kept, and what was lost. Deleted stacks are included, also by their nickname.',
      flags: [
        text('stack', 'only of this stack, by ID or nickname', {
          value: 'stack',
          completesOnly: true,
          complete: 'stack',
        }),
        text('state', 'only in this state', {
          value: 'state',
          choices: ['expected', 'in_use', 'kept', 'forgotten', 'gone', 'lost', 'all'],
        }),
        text('kind', 'only of this kind', { value: 'kind', choices: ['database', 'cache', 'files', 'disk'] }),
      ],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm data list', 'alm data list --stack shop --state kept', 'alm data list --fmt json'],
      load: async () => (await import('../../commands/data/list.ts')).listData,
    },
    {
      path: 'data show',
      about: 'Show a store of data: where it is, what is kept of it, until when, and how to restore it',
      flags: [id('data')],
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm data show <data id>', 'alm data show <data id> --fmt json'],
      load: async () => (await import('../../commands/data/show.ts')).showData,
    },
    {
      path: 'data restore',
      about: 'Restore kept data into the stack that it comes from',
      more: [
        'Updates the stack to its current template with the section that the data was kept from. For another stack, or after the',
        'deletion of this one, put restore_from with the ID into a database, cache or storage section of a template.',
      ].join('\n'),
      flags: [id('kept-data'), ...dataFlags, ...waitFlags],
      positionals: ['id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm data restore <data id> --wait'],
      load: async () => (await import('../../commands/data/restore.ts')).restoreData,
    },
    {
      path: 'data forget',
      about: 'Take kept data off the list; it is not deleted at the vendor',
      more: 'On a terminal, shows where the data is and asks before.',
      flags: [id('kept-data'), yes],
      positionals: ['id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm data forget <data id>'],
      load: async () => (await import('../../commands/data/forget.ts')).forgetData,
    },
  ],
};
