import { Type } from 'typebox';
import { template as templateSchema } from '../../languages/v3-template/schema.ts';
import { route } from '../route.ts';
import { cost, costExample } from './cost.ts';
import { affectedStores, updateDataQuery } from './schemas/data.ts';
import { stackParams, stackStatus, writeHeaders } from './schemas/stack.ts';
import { templateDiff } from './schemas/template-diff.ts';

/** A template as the body of a request. */
export const templateBody = Type.Union([
  Type.Unsafe({ ...templateSchema, $id: 'Template' }),
  Type.Object(
    { template: Type.Unknown() },
    { description: 'Wrapper object with the template, or its text, as `template`.' },
  ),
]);

/** Reply to every request that submits a new version of a stack. */
export const accepted = Type.Object({
  status: Type.String(),
  stack_status: stackStatus,
  stack_id: Type.String(),
  version_id: Type.String(),
});

export const templateExample = {
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
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/template',
  access: { action: 'template:createAlmTemplate' },
  summary: 'Create a stack from a template',
  description: 'Creates a stack asynchronously. Describe the stack, or follow its events, to see the result.',
  tag: 'Templates',
  query: Type.Object({
    nickname: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          'Display name of the stack, in place of the one in the template. Generated if there is none. It cannot begin with `mo-`, as ids do.',
      }),
    ),
    another: Type.Optional(
      Type.Boolean({
        description:
          'Whether another stack of the account may have the same name. `false`: 409 if one has. Default: `false` if the template has ' +
          '`name`, otherwise `true`.',
      }),
    ),
  }),
  headers: writeHeaders,
  bodyKind: 'document',
  body: templateBody,
  replies: { 201: { description: 'Stack creation started.', schema: accepted } },
  examples: { body: templateExample, reply: acceptedExample('CREATE_IN_PROGRESS') },
});

export const updateTemplate = route({
  name: 'v3UpdateTemplate',
  asksVendor: true,
  method: 'PUT',
  path: '/v3/alm/template/{stack_id}',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Update a stack from a template',
  description:
    'Updates a stack asynchronously. The `vendor` section is ignored, because the vendor of a stack cannot change. ' +
    'An update during another update replaces it. An update that removes or replaces a database or other data fails with 409 ' +
    'until `data` confirms it.',
  tag: 'Templates',
  params: stackParams,
  query: Type.Object(updateDataQuery),
  headers: writeHeaders,
  bodyKind: 'document',
  body: templateBody,
  replies: { 202: { description: 'Stack update started.', schema: accepted } },
  examples: { body: templateExample, reply: acceptedExample('UPDATE_IN_PROGRESS') },
});

export const plannedChange = Type.Object(
  {
    action: Type.Unsafe<'add' | 'change' | 'replace' | 'remove'>(
      Type.String({ enum: ['add', 'change', 'replace', 'remove'] }),
    ),
    resource: Type.String({ description: 'Name of the resource in the vendor document.' }),
    resource_type: Type.String(),
    members: Type.Array(Type.String(), { description: 'Changed members. Empty for `add` and `remove`.' }),
    warning: Type.String({
      description: 'What else the change loses or interrupts, such as an address. Empty if nothing.',
    }),
  },
  { $id: 'PlannedChange' },
);

export const previewTemplate = route({
  name: 'v3PreviewTemplate',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/template/preview',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'Preview a template',
  description:
    'Returns the changes that applying the template would make, without changing or saving anything. With `stack_id`, ' +
    'previews an update of that stack, compared with its current version. Without it, previews a new stack. Invalid ' +
    'templates are rejected with the same errors as when they are applied.',
  tag: 'Templates',
  query: Type.Object({ stack_id: Type.Optional(Type.String({ maxLength: 128 })) }),
  bodyKind: 'document',
  body: templateBody,
  replies: {
    200: {
      description: 'The planned changes.',
      schema: Type.Object({
        status: Type.String(),
        stack_id: Type.Optional(Type.String({ description: 'Present if `stack_id` is set in the request.' })),
        changes: Type.Array(plannedChange),
        warnings: Type.Array(Type.String({ description: 'Warning to review before applying the template.' })),
        data: affectedStores,
        diff: Type.Optional(templateDiff),
        cost,
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
      data: [],
      cost: costExample,
    },
  },
});

export const templateRoutes = [applyTemplate, previewTemplate, updateTemplate] as const;
