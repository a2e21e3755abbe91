import { documentFormats, stackId, tableFormats, yes } from '../../args/flag.ts';
import type { Group } from '../../command.ts';

export const deployHookGroup: Group = {
  name: 'deploy-hook',
  about: 'Manage the deploy hook of a stack, which GitHub, GitLab, Gitea and CI call',
  commands: [
    {
      path: 'deploy-hook create',
      about: 'Create the deploy hook of a stack and print its URL and secret once',
      more: 'If the stack has one, it gets a new secret and keeps its URL. It acts with your rights at the time of each call.',
      flags: [stackId()],
      positionals: ['id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm deploy-hook create <id>'],
      load: async () => (await import('../../commands/automatic/deploy-hook.ts')).createDeployHook,
    },
    {
      path: 'deploy-hook show',
      about: 'Show whether a stack has a deploy hook, and how it was used last',
      flags: [stackId()],
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm deploy-hook show <id>'],
      load: async () => (await import('../../commands/automatic/deploy-hook.ts')).showDeployHook,
    },
    {
      path: 'deploy-hook delete',
      about: 'Delete the deploy hook of a stack',
      flags: [stackId(), yes],
      positionals: ['id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm deploy-hook delete <id>'],
      load: async () => (await import('../../commands/automatic/deploy-hook.ts')).deleteDeployHook,
    },
  ],
};

export const automaticGroup: Group = {
  name: 'automatic',
  about: 'Show, pause and resume what pushes and the deploy hook do with a stack',
  commands: [
    {
      path: 'automatic show',
      about: 'Show what the layers of a stack follow, its deploy hook, and its last automatic version',
      flags: [stackId()],
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm automatic show <id>'],
      load: async () => (await import('../../commands/automatic/automatic.ts')).showAutomatic,
    },
    {
      path: 'automatic pause',
      about: 'Pause automatic versions: neither a push nor the deploy hook changes the stack',
      flags: [stackId()],
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm automatic pause <id>'],
      load: async () => (await import('../../commands/automatic/automatic.ts')).pauseAutomatic,
    },
    {
      path: 'automatic resume',
      about: 'Resume automatic versions, from the next push or call on',
      flags: [stackId()],
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm automatic resume <id>'],
      load: async () => (await import('../../commands/automatic/automatic.ts')).resumeAutomatic,
    },
  ],
};
