import { documentFormats, number, stackId, tableFormats, text, toggle } from '../args/flag.ts';
import type { Group } from '../command.ts';

export const containerGroup: Group = {
  name: 'container',
  about: 'Show the containers on the instances of a stack',
  commands: [
    {
      path: 'container list',
      about: 'List the containers of a stack or an instance',
      flags: [
        text('id', 'containers of this stack', {
          value: 'stack id',
          complete: 'stack',
          orDefaultUnless: 'instance-id',
        }),
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

const aboutLogs = 'Show the logs of a stack: what its agents and containers have written';

export const logsGroup: Group = {
  name: 'logs',
  about: aboutLogs,
  commands: [
    {
      path: 'logs',
      about: aboutLogs,
      more: [
        'Agents are asked when they poll, so the first lines can take 10 seconds. Messages about instances that cannot send logs are on',
        'standard error; the exit code is 8 if no instance has answered. Secrets that the agents know are replaced.',
        'With --follow, shows new lines until Ctrl-C, which is exit code 130. The formats json, raw and min then print one object per line.',
      ].join('\n'),
      flags: [
        stackId(),
        toggle('follow', 'keep showing new lines until Ctrl-C'),
        number('lines', 'last lines of each container and of each agent', {
          short: 'n',
          default: 100,
          min: 0,
          max: 1000,
        }),
        text('flag', 'only instances of this layer', { value: 'layer', complete: 'layer' }),
        text('instance', 'only this instance', { value: 'instance id', complete: 'instance' }),
        text('container', 'only the container with this name', { value: 'name' }),
        text('source', 'only lines of the agent, or of containers', {
          value: 'source',
          choices: ['agent', 'container'],
        }),
        text('since', 'only lines after this time, such as 2030-01-01T00:00:00Z', { value: 'time' }),
      ],
      positionals: ['id'],
      formats: tableFormats,
      examples: [
        'alm logs <id>',
        'alm logs <id> --follow --flag web0',
        'alm logs <id> --source agent --lines 20 --fmt json',
      ],
      load: async () => (await import('../commands/logs/logs.ts')).showLogs,
    },
  ],
};
