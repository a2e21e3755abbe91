import { documentFormats, stackId, text } from '../../args/flag.ts';
import type { Group } from '../../command.ts';
import { dataFlags, waitingFlags } from '../stack-flags.ts';

const flag = text('flag', 'layer; optional if only one runs a container', {
  value: 'layer',
  complete: 'layer',
  only: 'v3',
});

const aboutDeploy = 'Deploy a new image or git reference to a running stack, and wait';

export const deployGroup: Group = {
  name: 'deploy',
  about: aboutDeploy,
  commands: [
    {
      path: 'deploy',
      about: aboutDeploy,
      more: [
        'Updates the stack to its current template with the new image or reference. The agents start the new containers beside the old',
        'ones and switch when they are healthy. If the new containers fail, the stack goes back and the exit code is 3. Works on a',
        'stack whose last change failed, too. Fails with exit code 7 if another update of a v3 stack comes first.',
      ].join('\n'),
      flags: [
        stackId(),
        text('image', 'container image', { value: 'image' }),
        text('ref', 'branch or tag of the code', { value: 'reference' }),
        flag,
        ...dataFlags,
        ...waitingFlags,
      ],
      positionals: ['id'],
      formats: documentFormats,
      examples: ['alm deploy shop --image registry.example.com/ann/shop:1.1', 'alm deploy shop --ref v1.1'],
      load: async () => (await import('../../commands/deploy/deploy.ts')).deploy,
    },
  ],
};

const aboutRestart = 'Replace the containers of a stack by new ones of the same configuration, and wait';

export const restartGroup: Group = {
  name: 'restart',
  about: aboutRestart,
  commands: [
    {
      path: 'restart',
      about: aboutRestart,
      more: 'Like a deployment of the same image: sets the variable ALM_RESTARTED_AT of the containers, in a new version of the stack.',
      flags: [stackId(), flag, ...dataFlags, ...waitingFlags],
      positionals: ['id'],
      formats: documentFormats,
      examples: ['alm restart shop', 'alm restart shop --flag Web --wait=false'],
      load: async () => (await import('../../commands/deploy/deploy.ts')).restart,
    },
  ],
};

const aboutOpen = 'Print the address of the console, and open it in a browser';

export const openGroup: Group = {
  name: 'open',
  about: aboutOpen,
  commands: [
    {
      path: 'open',
      about: aboutOpen,
      more: 'Off a terminal, only prints the address.',
      flags: [text('id', 'stack to show; all stacks if omitted', { value: 'stack id', complete: 'stack' })],
      positionals: ['id'],
      only: 'v3',
      formats: [],
      examples: ['alm open', 'alm open shop'],
      load: async () => (await import('../../commands/open/open.ts')).openConsole,
    },
  ],
};
