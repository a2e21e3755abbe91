import { documentFormats, list, number, stackId, tableFormats, text, toggle, yes } from '../args/flag.ts';
import type { Command, Group } from '../command.ts';
import {
  another,
  approvalFlags,
  dataFlags,
  previewOnly,
  restore,
  skipResources,
  templateFile,
  v2ChangeFlags,
  v2StackFlags,
  waitFlags,
  waitTimeout,
} from './stack-flags.ts';
import { checkingDrift, restartingInstance } from './tools/drift.ts';
import { refreshing } from './tools/refresh-images.ts';

const positionals = ['id'];

const reading: readonly Command[] = [
  {
    path: 'stack list',
    about: 'List the stacks',
    flags: [],
    formats: tableFormats,
    examples: ['alm stack list', 'alm stack list --apiver v2', 'alm stack list --fmt json'],
    load: async () => (await import('../commands/stack/list.ts')).listStacks,
  },
  {
    path: 'stack describe',
    about: 'Describe a stack: instances, layers, databases, caches and outputs',
    flags: [stackId()],
    positionals,
    formats: tableFormats,
    examples: ['alm stack describe --id mo-5447826c870e7-aB3dE6gH9-tk', 'alm stack describe <id> --fmt yaml'],
    load: async () => (await import('../commands/stack/describe.ts')).describeStack,
  },
  {
    path: 'stack resources',
    about: 'List the resources of a stack: status, id at the vendor and dependencies',
    flags: [stackId()],
    positionals,
    formats: tableFormats,
    examples: ['alm stack resources <id>', 'alm stack resources <id> --fmt json'],
    load: async () => (await import('../commands/stack/resources.ts')).showResources,
  },
  {
    path: 'stack events',
    about: 'Show the events of a stack',
    more: 'With --follow, the formats json, raw and min print one object per line.',
    flags: [
      stackId(),
      number('after', 'show only events after this number'),
      toggle('follow', 'keep showing new events until Ctrl-C'),
    ],
    positionals,
    formats: tableFormats,
    examples: ['alm stack events <id>', 'alm stack events <id> --follow'],
    load: async () => (await import('../commands/stack/events.ts')).showEvents,
  },
  {
    path: 'stack wait',
    about: 'Wait until the operation in progress ends and show its events',
    flags: [stackId(), waitTimeout],
    positionals,
    formats: [],
    examples: ['alm stack wait <id>', 'alm stack wait <id> --wait-timeout 600'],
    load: async () => (await import('../commands/stack/wait.ts')).waitCommand,
  },
];

const changing: readonly Command[] = [
  {
    path: 'stack create',
    about: 'Create a stack from a template (v3) or from flags (v2)',
    flags: [templateFile({ required: 'v3', only: 'v3' }), ...v2StackFlags, another, ...waitFlags],
    positionals: ['alm-template'],
    formats: documentFormats,
    examples: [
      'alm stack create stack.yaml --nickname shop --wait',
      'alm stack create --apiver v2 --arch art_elb --type t2.micro --min 2 --max 4 --usedb --dbengine db_mysql --dbtype db.t2.micro --dbstorage 10',
    ],
    load: async () => (await import('../commands/stack/create.ts')).createStack,
  },
  {
    path: 'stack update',
    about: 'Update a stack with a template (v3) or with flags (v2)',
    flags: [
      stackId(),
      templateFile({ required: 'v3', only: 'v3' }),
      ...v2ChangeFlags,
      ...dataFlags,
      ...approvalFlags,
      ...waitFlags,
    ],
    more: 'On a terminal, shows what a template would change and asks before it applies it.',
    positionals: ['id', 'alm-template'],
    formats: documentFormats,
    examples: [
      'alm stack update <id> stack.yaml --auto-approve --wait',
      'alm stack update <id> stack.yaml --preview-only',
      'alm stack update --id <id> --alm-template stack.yaml --wait',
      'alm stack update --apiver v2 --id <id> --min 3 --max 6',
    ],
    load: async () => (await import('../commands/stack/update.ts')).updateStack,
  },
  {
    path: 'stack delete',
    about: 'Delete a stack and all its resources; the data of its databases, caches and files is kept',
    more: [
      'On a terminal, shows what becomes of the data and asks before. Off a terminal, a stack that has servers outside groups needs',
      '--yes or --replace-servers, because what is only on their disks is lost. Prints what is kept: alm data list.',
    ].join('\n'),
    flags: [
      stackId({ explicit: true }),
      ...dataFlags,
      {
        ...yes,
        about: 'do not ask on a terminal, and go on if servers outside groups are removed, with their disks',
      },
      ...waitFlags,
    ],
    positionals,
    formats: documentFormats,
    examples: [
      'alm stack delete --id <id> --yes --wait',
      'alm stack delete <id> --delete-data',
      'alm stack delete <id> --data Databaseapp=delete',
    ],
    load: async () => (await import('../commands/stack/delete.ts')).deleteStack,
  },
  {
    path: 'stack cancel',
    about: 'Cancel the update in progress and return to the last complete version',
    flags: [stackId(), ...dataFlags, ...waitFlags],
    positionals,
    only: 'v3',
    formats: documentFormats,
    examples: ['alm stack cancel <id> --wait'],
    load: async () => (await import('../commands/stack/cancel.ts')).cancelUpdate,
  },
  {
    path: 'stack rollback',
    about: 'Roll back a stack to an earlier version',
    flags: [
      stackId(),
      text('ver', 'version to roll back to', { value: 'version id', required: true, complete: 'version' }),
      skipResources,
      restore,
      previewOnly,
      ...dataFlags,
      ...waitFlags,
    ],
    positionals: ['id', 'ver'],
    only: 'v3',
    formats: documentFormats,
    examples: [
      'alm stack rollback <id> --ver <version id> --preview-only',
      'alm stack rollback <id> --ver <version id> --restore latest --wait',
    ],
    load: async () => (await import('../commands/stack/rollback.ts')).rollBack,
  },
];

const reaching: readonly Command[] = [
  {
    path: 'stack ssh',
    about: 'Open a terminal on an instance',
    more: [
      'A stack with one running instance needs neither --ip nor --flag.',
      'The exit code is that of the remote shell, or 8 if the connection is lost. At the beginning of a line, ~. disconnects and',
      '~~ types one ~.',
    ].join('\n'),
    flags: [
      stackId(),
      text('ip', 'IP address of the instance', { value: 'address', complete: 'address' }),
      text('flag', 'layer of the instance', { value: 'layer', complete: 'layer' }),
      text('user', 'user on the instance; ec2-user or the default of the vendor if omitted', {
        value: 'name',
      }),
      toggle('browser', 'open the terminal in a browser'),
    ],
    positionals,
    formats: ['table', 'json', 'raw'],
    examples: ['alm stack ssh --id <id> --flag web0', 'alm stack ssh <id> --ip 10.0.0.4 --browser'],
    load: async () => (await import('../commands/stack/ssh.ts')).openTerminal,
  },
  {
    path: 'stack exec',
    about: 'Run a script on one or more instances',
    more: 'Runs on all targets concurrently. The output is printed in the order of the targets, numbered from 0.',
    flags: [
      list('target', '<stack id>|<user>@<ip>:<layer>; unambiguous parts may be omitted', {
        value: 'target',
        required: true,
      }),
      text('script', 'script file; - reads standard input', {
        value: 'file',
        required: true,
        complete: 'file',
      }),
      number('script-timeout', 'maximum seconds the script may run', {
        value: 'seconds',
        default: 60,
        min: 1,
        max: 600,
      }),
    ],
    formats: ['table', 'json', 'yaml', 'min'],
    examples: [
      "alm stack exec --target 'mo-5447826c870e7-aB3dE6gH9-tk|ec2-user@10.0.0.4:web0' --script uptime.sh",
    ],
    load: async () => (await import('../commands/stack/exec.ts')).runScripts,
  },
  {
    path: 'stack pem',
    about: 'Print the private key of a layer',
    flags: [
      stackId(),
      text('flag', 'layer; optional if only one has a key', {
        value: 'layer',
        complete: 'layer',
      }),
    ],
    positionals: ['id', 'flag'],
    formats: ['raw'],
    examples: ['alm stack pem --id <id> --flag web0 --out web0.pem'],
    load: async () => (await import('../commands/stack/pem.ts')).printKey,
  },
  {
    path: 'stack forget-host-key',
    about: 'Remove the saved host key of an instance',
    more: 'Almanac saves the host key of an instance on the first connection and rejects any other one. Use this command after a legitimate\nchange, such as a rebuild: the next connection saves the new key.',
    flags: [
      stackId(),
      text('instance-id', 'instance ID', { value: 'instance id', required: true, complete: 'instance' }),
    ],
    positionals: ['id', 'instance-id'],
    formats: documentFormats,
    examples: ['alm stack forget-host-key <id> --instance-id <instance id>'],
    load: async () => (await import('../commands/stack/forget-host-key.ts')).forgetHostKey,
  },
];

export const stackGroup: Group = {
  name: 'stack',
  about: 'Create, update, delete, inspect and access stacks',
  commands: [...reading, checkingDrift, ...changing, refreshing, ...reaching, restartingInstance],
};
