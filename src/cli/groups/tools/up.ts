import { documentFormats, text, yes } from '../../args/flag.ts';
import type { Group } from '../../command.ts';
import { dataFlags, waitingFlags } from '../stack-flags.ts';

const about = 'Create or update the stack of a template, and wait until its application serves';

export const upGroup: Group = {
  name: 'up',
  about,
  commands: [
    {
      path: 'up',
      about,
      more: [
        'Finds the stack by the name in the template, shows what would change, and asks on a terminal. Creates the stack if there is none.',
        'Without a change it only looks. The exit code is 0 only if the application serves, and 3 if it does not: with the reason, the last',
        'lines of the container, and what keeps serving. The document is the stack, with its rollouts as "rollouts".',
      ].join('\n'),
      flags: [
        text(
          'file',
          'template file, JSON or YAML; stack.yaml, stack.yml or stack.json if omitted; - reads standard input',
          {
            value: 'file',
            complete: 'file',
          },
        ),
        text('name', 'name of the stack; "name" of the template if omitted', { value: 'name' }),
        yes,
        ...dataFlags,
        ...waitingFlags,
      ],
      positionals: ['file'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm up', 'alm up shop.yaml --name shop', 'alm up --yes --fmt json'],
      load: async () => (await import('../../commands/up/up.ts')).bringUp,
    },
  ],
};
