import { documentFormats, tableFormats, text } from '../args/flag.ts';
import type { Group } from '../command.ts';

export const containerGroup: Group = {
  name: 'container',
  about: 'Show the containers on the instances of a stack',
  commands: [
    {
      path: 'container list',
      about: 'List the containers of a stack or an instance',
      flags: [
        text('id', 'containers of this stack', { value: 'stack id', complete: 'stack' }),
        text('instance-id', 'containers on this instance; overrides --id', { value: 'instance id' }),
      ],
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm container list --id <id>', 'alm container list --instance-id <instance id>'],
      load: async () => (await import('../commands/container/list.ts')).listContainers,
    },
    {
      path: 'container describe',
      about: 'Describe a container',
      flags: [text('container-id', 'container ID', { value: 'container id', required: true })],
      positionals: ['container-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm container describe <container id>'],
      load: async () => (await import('../commands/container/describe.ts')).describeContainer,
    },
  ],
};
