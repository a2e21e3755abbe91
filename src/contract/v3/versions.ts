import { Type } from 'typebox';
import { route } from '../route.ts';
import { stackParams, writeHeaders } from './schemas/stack.ts';
import { templateDiff } from './template-diff.ts';
import { accepted, acceptedExample } from './templates.ts';

const templateDocument = Type.Object({}, { description: 'A template, less every secret.' });

const templateVersion = Type.Object(
  {
    version_id: Type.String(),
    latest: Type.Boolean({ description: 'True for the newest version, and only for that one.' }),
    last_modified: Type.String({ description: 'When it was submitted: ISO 8601, UTC, with milliseconds.' }),
    size: Type.String({ description: 'Bytes of the template as it is kept.' }),
    created_by: Type.String({ description: 'Who submitted it.' }),
    label: Type.String({ description: "The template's own label; may be empty." }),
  },
  { $id: 'TemplateVersion' },
);

export const listVersions = route({
  name: 'v3ListTemplateVersions',
  method: 'GET',
  path: '/v3/alm/template',
  access: { action: 'template:describeAlmTemplate' },
  summary: "List the versions of a stack's template",
  description:
    'Newest first, all of them as one array. With `limit` the array is a page, and the next one is named by the `Link` ' +
    'and `X-Next-Cursor` headers. After a cancelled update the newest version is not the one in force; the version_id ' +
    'of the stack is.',
  tag: 'Templates',
  query: Type.Object({
    stack_id: Type.Optional(Type.String({ maxLength: 128, description: 'Required.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    cursor: Type.Optional(Type.String({ description: 'The X-Next-Cursor of the page before.' })),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The versions.', schema: Type.Array(templateVersion) } },
});

export const describeTemplate = route({
  name: 'v3DescribeTemplate',
  method: 'GET',
  path: '/v3/alm/template/{stack_id}',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'Read a template of a stack',
  tag: 'Templates',
  params: stackParams,
  query: Type.Object({
    version_id: Type.Optional(Type.String({ description: 'Empty, absent or `latest`: the newest.' })),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The template as it was submitted.', schema: templateDocument } },
});

const versionOfStack = Type.Record(
  Type.String(),
  Type.Object({
    version: Type.Optional(Type.String({ description: 'Empty, absent or `latest`: the newest.' })),
  }),
  { description: 'One member: the stack id.' },
);

export const compareTemplates = route({
  name: 'v3CompareTemplates',
  method: 'POST',
  path: '/v3/alm/template/compare',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'Compare two templates',
  description:
    'The source is the first entry of `id`; the target is the second entry of `id`, or else the one entry of `body`. In ' +
    'a form both members are JSON text. `source` and `target` of the answer are the two template documents. A template ' +
    'given in `body` must be one that could be applied; problems with it are reported under `body/0`.',
  tag: 'Templates',
  bodyKind: 'fields',
  body: Type.Object({
    id: Type.Optional(
      Type.Array(Type.Union([versionOfStack, Type.String()]), {
        description: 'Required: one or two stored templates.',
      }),
    ),
    body: Type.Optional(
      Type.Array(Type.String({ description: 'The text of a template, JSON or YAML.' }), {
        description: 'The target, when `id` has only the source.',
      }),
    ),
  }),
  replies: {
    202: {
      description: 'How they differ.',
      schema: Type.Object({
        status: Type.String(),
        source: templateDocument,
        target: templateDocument,
        diff: templateDiff,
      }),
    },
  },
  examples: {
    body: {
      id: [
        { 'mo-5447826c870e7-aB3dE6gH9-tk': { version: 'k3Yw1QmZp7vXc2Rt9LbN4sHd6JfG8aEu' } },
        { 'mo-5447826c870e7-aB3dE6gH9-tk': { version: 'latest' } },
      ],
    },
    reply: {
      status: 'success',
      source: { version: '2017-03-03' },
      target: { version: '2017-03-03' },
      diff: {
        new: [{ 'configurations/provision/keypair': true }],
        removed: [],
        edited: {
          'configurations/provision/instance_type': { oldvalue: 't2.micro', newvalue: 't2.small' },
        },
      },
    },
  },
});

export const rollBack = route({
  name: 'v3RollBackStack',
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/rollback',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Bring back an older version of a stack',
  description:
    'Makes a new version that is the same as the one named, its secrets included, and updates the stack to it.',
  tag: 'Stacks',
  params: stackParams,
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({ version_id: Type.String({ minLength: 1, description: 'The version to bring back.' }) }),
  replies: { 202: { description: 'The update has begun.', schema: accepted } },
  examples: {
    body: { version_id: 'p7vXc2Rt9LbN4sHd6JfG8aEuk3Yw1QmZ' },
    reply: acceptedExample('UPDATE_IN_PROGRESS'),
  },
});

export const cancelUpdate = route({
  name: 'v3CancelUpdate',
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/cancel',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Cancel the update that is in progress',
  description:
    'The stack goes back to the version it was last complete in, which the answer names. Refused with 409 when no update ' +
    'is in progress, or when the stack has never been complete.',
  tag: 'Stacks',
  params: stackParams,
  headers: writeHeaders,
  bodyKind: 'none',
  replies: { 202: { description: 'The stack is on its way back.', schema: accepted } },
  examples: { reply: acceptedExample('UPDATE_IN_PROGRESS') },
});

export const versionRoutes = [compareTemplates, listVersions, describeTemplate, rollBack, cancelUpdate];
