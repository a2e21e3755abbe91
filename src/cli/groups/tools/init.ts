import { text, toggle } from '../../args/flag.ts';
import type { Group } from '../../command.ts';

const about = 'Write a commented template after four questions, and check it';

export const initGroup: Group = {
  name: 'init',
  about,
  commands: [
    {
      path: 'init',
      about,
      more: [
        'Asks on a terminal only; each question has a flag, and off a terminal what is not given has its default. The check is that of',
        '"alm template preview": the service compiles the template and creates nothing.',
      ].join('\n'),
      flags: [
        text('file', 'file to write; stack.yaml if omitted', { value: 'file', complete: 'file' }),
        text('kind', 'one server, balanced web servers, these with a database, or containers of docker', {
          value: 'kind',
          choices: ['server', 'web', 'database', 'docker'],
        }),
        text('nickname', 'name of the stack; my-stack if omitted', { value: 'name' }),
        text('image', 'container image; none if empty', { value: 'image' }),
        text('cred', 'credential ID; SANDBOX, or local on docker, if omitted', {
          value: 'id',
          complete: 'credential',
        }),
        text('region', 'region of the cloud; ap-northeast-1, or local on docker, if omitted', {
          value: 'region',
        }),
        toggle('force', 'replace a file that exists'),
        toggle('check', 'have the service check the template; --check=false skips it', { default: true }),
      ],
      positionals: ['file'],
      only: 'v3',
      formats: [],
      examples: [
        'alm init',
        'alm init shop.yaml --kind web --nickname shop --image httpd:2.4 --cred SANDBOX',
      ],
      load: async () => (await import('../../commands/init/init.ts')).writeTemplate,
    },
  ],
};
