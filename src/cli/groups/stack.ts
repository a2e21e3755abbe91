import { documentFormats, list, number, stackId, tableFormats, text, toggle } from '../args/flag.ts';
import type { Command, Group } from '../command.ts';
import { templateFile, v2ChangeFlags, v2StackFlags, waitFlags } from './stack-flags.ts';

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
    about: 'Describe a stack: its servers, its layers, its addresses',
    flags: [stackId()],
    positionals,
    formats: tableFormats,
    examples: ['alm stack describe --id mo-5447826c870e7-aB3dE6gH9-tk', 'alm stack describe <id> --fmt yaml'],
    load: async () => (await import('../commands/stack/describe.ts')).describeStack,
  },
  {
    path: 'stack events',
    about: 'Show what happened to a stack',
    more: 'With --follow, json, raw and min are one object a line.',
    flags: [
      stackId(),
      number('after', 'only events with a higher number'),
      toggle('follow', 'go on with what happens from now; Ctrl-C ends it'),
    ],
    positionals,
    formats: tableFormats,
    examples: ['alm stack events <id>', 'alm stack events <id> --follow'],
    load: async () => (await import('../commands/stack/events.ts')).showEvents,
  },
  {
    path: 'stack wait',
    about: 'Stay until what a stack goes through has ended, and show what happens',
    flags: [
      stackId(),
      number('wait-timeout', 'seconds to stay at most; 0: as long as it takes', {
        value: 'seconds',
        default: 0,
      }),
    ],
    positionals,
    formats: [],
    examples: ['alm stack wait <id>'],
    load: async () => (await import('../commands/stack/wait.ts')).waitForIt,
  },
];

const changing: readonly Command[] = [
  {
    path: 'stack create',
    about: 'Create a stack: in v3 from a template, in v2 from flags',
    flags: [templateFile({ required: 'v3', only: 'v3' }), ...v2StackFlags, ...waitFlags],
    formats: documentFormats,
    examples: [
      'alm stack create --alm-template examples/first-stack.json --wait',
      'alm stack create --apiver v2 --arch art_elb --type t2.micro --min 2 --max 4 --usedb --dbengine db_mysql --dbtype db.t2.micro --dbstorage 10',
    ],
    load: async () => (await import('../commands/stack/create.ts')).createStack,
  },
  {
    path: 'stack update',
    about: 'Update a stack: in v3 to a template, in v2 what the flags say',
    flags: [stackId(), templateFile({ required: 'v3', only: 'v3' }), ...v2ChangeFlags, ...waitFlags],
    positionals,
    formats: documentFormats,
    examples: [
      'alm stack update --id <id> --alm-template stack.yaml --wait',
      'alm stack update --apiver v2 --id <id> --min 3 --max 6',
    ],
    load: async () => (await import('../commands/stack/update.ts')).updateStack,
  },
  {
    path: 'stack delete',
    about: 'Delete a stack and everything in it',
    flags: [stackId(), ...waitFlags],
    positionals,
    formats: documentFormats,
    examples: ['alm stack delete --id <id> --wait'],
    load: async () => (await import('../commands/stack/delete.ts')).deleteStack,
  },
  {
    path: 'stack cancel',
    about: 'Cancel the update in progress: the stack goes back to what it was',
    flags: [stackId(), ...waitFlags],
    positionals,
    only: 'v3',
    formats: documentFormats,
    examples: ['alm stack cancel <id> --wait'],
    load: async () => (await import('../commands/stack/back.ts')).cancelUpdate,
  },
  {
    path: 'stack rollback',
    about: 'Bring back an older version of a stack',
    flags: [
      stackId(),
      text('ver', 'the version to bring back', { value: 'version id', required: true, complete: 'version' }),
      ...waitFlags,
    ],
    positionals: ['id', 'ver'],
    only: 'v3',
    formats: documentFormats,
    examples: ['alm stack rollback <id> --ver <version id> --wait'],
    load: async () => (await import('../commands/stack/back.ts')).rollBack,
  },
];

const reaching: readonly Command[] = [
  {
    path: 'stack ssh',
    about: 'Open a terminal on an instance',
    more: 'Where the stack has one running instance, the stack is enough. Without --user: ec2-user, or what the vendor has.\nIt ends with the exit code of the shell, or with 8 when the connection was lost. At the beginning of a line, ~. hangs up\nand ~~ types one ~.',
    flags: [
      stackId(),
      text('ip', 'address of the instance', { value: 'address', complete: 'address' }),
      text('flag', 'its layer', { value: 'layer', complete: 'layer' }),
      text('user', 'who to sign in as; ec2-user, or the usual one of the vendor, when left out', {
        value: 'name',
      }),
      toggle('browser', 'in the browser instead'),
    ],
    positionals,
    formats: ['table', 'json', 'raw'],
    examples: ['alm stack ssh --id <id> --flag web0', 'alm stack ssh <id> --ip 10.0.0.4 --browser'],
    load: async () => (await import('../commands/stack/ssh.ts')).openTerminal,
  },
  {
    path: 'stack exec',
    about: 'Run a script on one instance or many',
    more: 'On all of them at once; what each printed comes in the order of the targets, numbered from 0.',
    flags: [
      list(
        'target',
        'where: <stack id>|<user>@<ip>:<layer>; what follows the stack may be left out where it is clear',
        { value: 'target', required: true },
      ),
      text('script', 'file of the script; - reads it from standard input', {
        value: 'file',
        required: true,
        complete: 'file',
      }),
      number('script-timeout', 'seconds a script may take', {
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
    about: "Print a layer's private key",
    flags: [
      stackId(),
      text('flag', 'the layer; may be left out where only one has a key', {
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
    about: 'Forget the host key of an instance that changed it for a good reason',
    more: 'An instance must show the host key it showed first. The next connection notes the new one.',
    flags: [
      stackId(),
      text('instance-id', 'the instance', { value: 'instance id', required: true, complete: 'instance' }),
    ],
    positionals: ['id', 'instance-id'],
    formats: documentFormats,
    examples: ['alm stack forget-host-key <id> --instance-id <instance id>'],
    load: async () => (await import('../commands/stack/host-key.ts')).forgetHostKey,
  },
];

export const stackGroup: Group = {
  name: 'stack',
  about: 'Create, describe, update, delete and reach stacks',
  commands: [...reading, ...changing, ...reaching],
};
