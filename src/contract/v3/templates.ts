import { Type } from 'typebox';
import { template as templateSchema } from '../../languages/v3-template/schema.ts';
import { route } from '../route.ts';
import { stackParams, stackStatus, writeHeaders } from './stack-schema.ts';

const template = Type.Union([
  Type.Unsafe({ ...templateSchema, $id: 'Template' }),
  Type.Object({ template: Type.Unknown() }, { description: 'The template, or its text, wrapped.' }),
]);

const accepted = Type.Object({
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

const acceptedExample = (status: string) => ({
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

export const templateRoutes = [applyTemplate, updateTemplate];
