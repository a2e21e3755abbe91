import { documentFormats, stackId, tableFormats, text, toggle, yes } from '../../args/flag.ts';
import type { Command } from '../../command.ts';
import { waitTimeout } from '../stack-flags.ts';

export const checkingDrift: Command = {
  path: 'stack drift',
  about: 'Show what was changed at the cloud without Almanac',
  more: 'Shows the last check. With --check, starts one and waits for its result. Not every cloud has such checks.',
  flags: [stackId(), toggle('check', 'check now'), { ...waitTimeout, needs: 'check' }],
  positionals: ['id'],
  only: 'v3',
  formats: tableFormats,
  examples: ['alm stack drift <id> --check', 'alm stack drift <id> --fmt json'],
  load: async () => (await import('../../commands/cloud/drift.ts')).showDrift,
};

export const restartingInstance: Command = {
  path: 'stack restart-instance',
  about: 'Replace an instance of a group of a v2 stack, or reboot another one',
  more: 'What an instance of a group has on its disk is lost. The containers of all instances: alm restart.',
  flags: [
    stackId(),
    text('instance-id', 'instance ID', { value: 'instance id', required: true, complete: 'instance' }),
    yes,
  ],
  positionals: ['id', 'instance-id'],
  only: 'v2',
  formats: documentFormats,
  examples: ['alm stack restart-instance <id> --instance-id <instance id> --apiver v2'],
  load: async () => (await import('../../commands/cloud/restart-instance.ts')).restartInstance,
};
