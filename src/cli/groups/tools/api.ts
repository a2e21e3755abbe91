import { documentFormats, list, text, toggle } from '../../args/flag.ts';
import type { Group } from '../../command.ts';

const about = 'Call any route of the API and print the response';

export const apiGroup: Group = {
  name: 'api',
  about,
  commands: [
    {
      path: 'api',
      about,
      more: [
        'The fields are the query of GET and DELETE, and the JSON body of other methods, in which numbers, true, false and null have',
        'their JSON type. All routes: docs/api.md, or /docs on your server.',
      ].join('\n'),
      flags: [
        text('method', 'GET, POST, PUT or DELETE', { value: 'method', required: true }),
        text('path', 'path with its query, such as /v3/alm/stack', { value: 'path', required: true }),
        list('field', 'name=value; repeat it for several', { short: 'F', value: 'name=value', whole: true }),
        toggle('form', 'send the fields as a form'),
        text('input', 'file with the body, JSON or YAML; - reads standard input', {
          value: 'file',
          complete: 'file',
        }),
      ],
      positionals: ['method', 'path'],
      formats: documentFormats,
      examples: [
        'alm api GET /v3/alm/stack -F limit=10',
        'alm api POST /v3/alm/template --input stack.yaml -F nickname=shop',
        'alm api GET /v3/session --query user.name',
      ],
      load: async () => (await import('../../commands/api/call.ts')).callApi,
    },
  ],
};
