import { documentFormats, stackId, toggle } from '../../args/flag.ts';
import type { Command } from '../../command.ts';
import { dataFlags, waitFlags } from '../stack-flags.ts';

export const refreshing: Command = {
  path: 'stack refresh-images',
  about: 'Replace instances by ones with the newest machine images, after a preview',
  more: [
    'For layers without an image of their own. Groups replace their instances one after the other. Servers outside groups are',
    'replaced at once, with their disks and addresses, so it asks before on a terminal. On AWS only.',
  ].join('\n'),
  flags: [
    stackId(),
    toggle('preview', 'show what would change, and change nothing'),
    ...dataFlags,
    ...waitFlags,
  ],
  positionals: ['id'],
  only: 'v3',
  formats: documentFormats,
  examples: ['alm stack refresh-images <id> --preview', 'alm stack refresh-images <id> --wait'],
  load: async () => (await import('../../commands/stack/refresh-images.ts')).refreshImages,
};
