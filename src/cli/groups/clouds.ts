import { documentFormats, stackId, tableFormats, text } from '../args/flag.ts';
import type { Group } from '../command.ts';

const vendor = text('vendor', 'the cloud', { value: 'vendor', default: 'aws' });

export const credsGroup: Group = {
  name: 'creds',
  about: 'Credentials of your clouds',
  commands: [
    {
      path: 'creds list',
      about: 'List the credentials of a cloud; secrets are never shown',
      flags: [vendor],
      formats: tableFormats,
      examples: ['alm creds list', 'alm creds list --vendor alicloud'],
      load: async () => (await import('../commands/clouds/creds.ts')).listCredentials,
    },
    {
      path: 'creds add',
      about: 'Save a credential',
      flags: [
        vendor,
        text('key-id', 'access key id', { value: 'id', required: true }),
        text('secret-key', 'asked for when left out', { value: 'secret' }),
        text('account', 'what people call the account', { value: 'name', required: true }),
        text('role-arn', 'AWS: the role CloudFormation makes stacks with', { value: 'arn' }),
      ],
      formats: documentFormats,
      examples: ['alm creds add --key-id AKIAIOSFODNN7EXAMPLE --account shop'],
      load: async () => (await import('../commands/clouds/creds.ts')).addCredential,
    },
    {
      path: 'creds delete',
      about: 'Delete a credential no stack uses',
      flags: [
        vendor,
        text('key-id', 'access key id', { value: 'id', required: true, complete: 'credential' }),
      ],
      positionals: ['key-id'],
      formats: documentFormats,
      examples: ['alm creds delete --key-id AKIAIOSFODNN7EXAMPLE'],
      load: async () => (await import('../commands/clouds/creds.ts')).deleteCredential,
    },
  ],
};

export const svrconfGroup: Group = {
  name: 'svrconf',
  about: 'What the servers of a v2 stack run',
  commands: [
    {
      path: 'svrconf show',
      about: 'Show what the servers of a stack run',
      flags: [stackId({ short: 'i' })],
      positionals: ['id'],
      only: 'v2',
      formats: documentFormats,
      examples: ['alm svrconf show --id <id>'],
      load: async () => (await import('../commands/clouds/svrconf.ts')).showServerConfig,
    },
    {
      path: 'svrconf update',
      about: 'Change what the servers of a stack run; each option is a request of its own',
      flags: [
        stackId({ short: 'i' }),
        text('env', 'the whole environment: KEY:value pairs with commas; null clears it', {
          short: 'e',
          value: 'pairs',
        }),
        text('filepath', 'where the code is', { short: 'p', value: 'url' }),
      ],
      positionals: ['id'],
      only: 'v2',
      more: 'A value may have colons in it. A comma in it is written as \\, (with a backslash before it).',
      formats: [],
      examples: [
        'alm svrconf update --id <id> --env MODE:live,LEVEL:3',
        'alm svrconf update --id <id> --env null',
      ],
      load: async () => (await import('../commands/clouds/svrconf.ts')).updateServerConfig,
    },
  ],
};

export const containerGroup: Group = {
  name: 'container',
  about: 'Containers on the instances of a stack',
  commands: [
    {
      path: 'container list',
      about: 'List the containers of a stack or of an instance',
      flags: [
        text('id', 'all of this stack', { value: 'stack id', complete: 'stack' }),
        text('instance-id', 'all on this instance', { value: 'instance id' }),
      ],
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm container list --id <id>'],
      load: async () => (await import('../commands/clouds/containers.ts')).listContainers,
    },
    {
      path: 'container describe',
      about: 'Describe a container',
      flags: [text('container-id', 'the container', { value: 'container id', required: true })],
      positionals: ['container-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm container describe <container id>'],
      load: async () => (await import('../commands/clouds/containers.ts')).describeContainer,
    },
  ],
};
