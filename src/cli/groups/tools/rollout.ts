import { documentFormats, stackId, tableFormats, text, yes } from '../../args/flag.ts';
import type { Group } from '../../command.ts';
import { dataFlags, waitingFlags, waitTimeout } from '../stack-flags.ts';

const layer = text('flag', 'only of this layer', { value: 'layer', complete: 'layer' });
const positionals = ['id'];

export const rolloutGroup: Group = {
  name: 'rollout',
  about: 'Show how new containers get to the instances of a stack, and go back',
  commands: [
    {
      path: 'rollout list',
      about: 'List the rollouts of a stack, the newest first',
      flags: [stackId(), layer],
      positionals,
      formats: tableFormats,
      examples: ['alm rollout list shop', 'alm rollout list shop --flag Web --fmt json'],
      load: async () => (await import('../../commands/rollout/list.ts')).listRollouts,
    },
    {
      path: 'rollout show',
      about: 'Show what each instance of a stack runs, and why it does not serve',
      more: 'Shows the current rollout of each layer with its instances, and the last lines of containers that failed.',
      flags: [stackId(), layer],
      positionals,
      formats: tableFormats,
      examples: ['alm rollout show shop', 'alm rollout show shop --fmt json'],
      load: async () => (await import('../../commands/rollout/show.ts')).showRollouts,
    },
    {
      path: 'rollout watch',
      about: 'Wait until the rollouts of a stack are over, and show the instances',
      more: 'The exit code is 3 if a rollout has failed.',
      flags: [stackId(), waitTimeout],
      positionals,
      formats: tableFormats,
      examples: ['alm rollout watch shop'],
      load: async () => (await import('../../commands/rollout/watch.ts')).watchRollouts,
    },
    {
      path: 'rollout return',
      about: 'Go back to the last version that served, and wait',
      more: 'Makes it the current version again, as a new one. On a terminal, asks before.',
      flags: [stackId(), yes, ...dataFlags, ...waitingFlags],
      positionals,
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rollout return shop', 'alm rollout return shop --yes --wait=false'],
      load: async () => (await import('../../commands/rollout/return.ts')).returnRollout,
    },
  ],
};
