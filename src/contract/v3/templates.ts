import { Type } from 'typebox';
import { template as templateSchema } from '../../languages/v3-template/schema.ts';
import { route } from '../route.ts';
import { stackParams, stackStatus, writeHeaders } from './schemas/stack.ts';
import { templateDiff } from './template-diff.ts';

const template = Type.Union([
  Type.Unsafe({ ...templateSchema, $id: 'Template' }),
  Type.Object({ template: Type.Unknown() }, { description: 'The template, or its text, wrapped.' }),
]);

/** What every new wish for a stack is answered with. */
export const accepted = Type.Object({
  status: Type.String(),
  stack_status: stackStatus,
  stack_id: Type.String(),
  version_id: Type.String(),
});

const templateExample = {
  version: '2017-03-03',
  label: 'first',
  description: 'One web server',
  vendor: { aws: { cred: '<CREDENTIAL_ID>', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web01',
      provision: {
        image: '${computed}',
        instance_type: 't2.micro',
        instance_count: 1,
        volume_type: '${computed}',
        keypair: true,
        subnet: { cidr: '10.0.0.0/24', public: true, auto_assign_public_ip: true },
        availability_zone: 'ap-northeast-1a',
      },
    },
  ],
};

export const acceptedExample = (status: string) => ({
  status: 'success',
  stack_status: status,
  stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk',
  version_id: 'k3Yw1QmZp7vXc2Rt9LbN4sHd6JfG8aEu',
});

export const applyTemplate = route({
  name: 'v3ApplyTemplate',
  method: 'POST',
  path: '/v3/alm/template',
  access: { action: 'template:createAlmTemplate' },
  summary: 'Apply a template: create a stack',
  tag: 'Templates',
  query: Type.Object({
    nickname: Type.Optional(
      Type.String({ maxLength: 255, description: 'Generated when absent; not stored in the template.' }),
    ),
  }),
  headers: writeHeaders,
  bodyKind: 'document',
  body: template,
  replies: { 201: { description: 'Creation has begun.', schema: accepted } },
  examples: { body: templateExample, reply: acceptedExample('CREATE_IN_PROGRESS') },
});

export const updateTemplate = route({
  name: 'v3UpdateTemplate',
  method: 'PUT',
  path: '/v3/alm/template/{stack_id}',
  access: { action: 'template:updateAlmTemplate' },
  summary: "Update a stack's template",
  description:
    'The `vendor` section is ignored: the vendor of a stack cannot change. The newest update wins.',
  tag: 'Templates',
  params: stackParams,
  headers: writeHeaders,
  bodyKind: 'document',
  body: template,
  replies: { 202: { description: 'The update has begun.', schema: accepted } },
  examples: { body: templateExample, reply: acceptedExample('UPDATE_IN_PROGRESS') },
});

const plannedChange = Type.Object(
  {
    action: Type.Unsafe<'add' | 'change' | 'replace' | 'remove'>(
      Type.String({ enum: ['add', 'change', 'replace', 'remove'] }),
    ),
    resource: Type.String({ description: "The resource's name in the vendor's document." }),
    resource_type: Type.String(),
    members: Type.Array(Type.String(), { description: 'What of it differs; empty for add and remove.' }),
    warning: Type.String({ description: 'What is lost by it; empty when nothing is.' }),
  },
  { $id: 'PlannedChange' },
);

export const previewTemplate = route({
  name: 'v3PreviewTemplate',
  method: 'POST',
  path: '/v3/alm/template/preview',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'See what applying a template would do',
  description:
    'With `stack_id`, as an update of that stack, compared with its current version; without, as a new stack. Nothing ' +
    'is changed or saved. A template that would be refused is refused here in the same way.',
  tag: 'Templates',
  query: Type.Object({ stack_id: Type.Optional(Type.String({ maxLength: 128 })) }),
  bodyKind: 'document',
  body: template,
  replies: {
    200: {
      description: 'What would happen.',
      schema: Type.Object({
        status: Type.String(),
        stack_id: Type.Optional(Type.String({ description: 'Only where it was given.' })),
        changes: Type.Array(plannedChange),
        warnings: Type.Array(Type.String({ description: 'A sentence to read before going on.' })),
        diff: Type.Optional(templateDiff),
      }),
    },
  },
  examples: {
    body: templateExample,
    reply: {
      status: 'success',
      changes: [
        { action: 'add', resource: 'Network', resource_type: 'VirtualNetwork', members: [], warning: '' },
      ],
      warnings: [],
    },
  },
});

export const templateRoutes = [applyTemplate, previewTemplate, updateTemplate];
