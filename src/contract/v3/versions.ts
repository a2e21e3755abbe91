import { Type } from 'typebox';
import { route } from '../route.ts';
import { updateDataQuery } from './schemas/data.ts';
import { cursor, limit } from './schemas/page.ts';
import { stackParams, writeHeaders } from './schemas/stack.ts';
import { templateDiff } from './schemas/template-diff.ts';
import { accepted, acceptedExample, previewTemplate } from './templates.ts';

const templateDocument = Type.Object({}, { description: 'A template without secrets.' });

const templateVersion = Type.Object(
  {
    version_id: Type.String(),
    latest: Type.Boolean({ description: 'Whether this is the newest version.' }),
    last_modified: Type.String({ description: 'Time of submission, ISO 8601 UTC with milliseconds.' }),
    size: Type.String({ description: 'Size of the stored template in bytes, as a string.' }),
    created_by: Type.String({ description: 'User who submitted the version.' }),
    label: Type.String({ description: 'Label from the template. May be empty.' }),
    cause: Type.String({
      description: 'Why the server made it by itself, such as a push. Empty: a user submitted it.',
    }),
  },
  { $id: 'TemplateVersion' },
);

export const listVersions = route({
  name: 'v3ListTemplateVersions',
  compressed: true,
  method: 'GET',
  path: '/v3/alm/template',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'List template versions',
  description:
    'Returns all template versions of a stack in one array, newest first. With `limit`, returns one page; the `Link` and ' +
    '`X-Next-Cursor` headers identify the next page. After a cancelled update, the newest version is not the current one; ' +
    'see `version_id` of the stack.',
  tag: 'Templates',
  query: Type.Object({
    stack_id: Type.Optional(Type.String({ maxLength: 128, description: 'Stack id. Required.' })),
    limit,
    cursor,
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The versions.', schema: Type.Array(templateVersion) } },
});

export const describeTemplate = route({
  name: 'v3DescribeTemplate',
  method: 'GET',
  path: '/v3/alm/template/{stack_id}',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'Get a template',
  tag: 'Templates',
  params: stackParams,
  query: Type.Object({
    version_id: Type.Optional(
      Type.String({ description: 'Version id. Default, or `latest`: the newest version.' }),
    ),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The template as submitted.', schema: templateDocument } },
});

const versionOfStack = Type.Record(
  Type.String(),
  Type.Object({
    version: Type.Optional(
      Type.String({ description: 'Version id. Default, or `latest`: the newest version.' }),
    ),
  }),
  { description: 'An object with one member, whose name is the stack id.' },
);

export const compareTemplates = route({
  name: 'v3CompareTemplates',
  method: 'POST',
  path: '/v3/alm/template/compare',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'Compare two templates',
  description:
    'The source is the first entry of `id`. The target is the second entry of `id` or the only entry of `body`. In a ' +
    'form, both members are JSON strings. The response contains both templates as `source` and `target`. A template in ' +
    '`body` must be valid; its problems are reported under `body/0`.',
  tag: 'Templates',
  bodyKind: 'fields',
  body: Type.Object({
    id: Type.Optional(
      Type.Array(Type.Union([versionOfStack, Type.String()]), {
        description: 'One or two stored templates. Required.',
      }),
    ),
    body: Type.Optional(
      Type.Array(Type.String({ description: 'Text of a template, JSON or YAML.' }), {
        description: 'Target template, if `id` contains only the source.',
      }),
    ),
  }),
  replies: {
    202: {
      description: 'The differences.',
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

const rollBackQuery = Type.Object({
  ...updateDataQuery,
  restore: Type.Optional(
    Type.String({
      maxLength: 4000,
      description:
        'For a database, cache or files that the version has and the stack no longer: `latest` restores the data that was kept ' +
        'last, ids of kept data, with commas between them, restore those, `empty` makes the others new and empty. Without it, such a rollback fails with 409.',
    }),
  ),
});

export const rollBack = route({
  name: 'v3RollBackStack',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/rollback',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Roll back a stack',
  description:
    'Creates a new version as a copy of an earlier one, including its secrets, and updates the stack to it. Like any update, it ' +
    'fails with 409 if it removes data that `data` does not confirm. The storage and version of a living database stay: they ' +
    'cannot go back.',
  tag: 'Stacks',
  params: stackParams,
  query: rollBackQuery,
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({
    version_id: Type.String({ minLength: 1, description: 'Version to roll back to.' }),
    skip_resources: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9.]+$', maxLength: 255 }), {
        maxItems: 500,
        description:
          'Only after an update that failed and could not be undone: resources to leave as they are, by the names in the ' +
          'status reason. They may then differ from the template. Nothing is skipped without this list.',
      }),
    ),
  }),
  replies: { 202: { description: 'Stack update started.', schema: accepted } },
  examples: {
    body: { version_id: 'p7vXc2Rt9LbN4sHd6JfG8aEuk3Yw1QmZ' },
    reply: acceptedExample('UPDATE_IN_PROGRESS'),
  },
});

export const previewRollBack = route({
  name: 'v3PreviewRollBack',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/rollback/preview',
  access: { action: 'template:describeAlmTemplate' },
  summary: 'Preview a rollback',
  description: 'Returns what rolling back would change, and what becomes of data. Changes nothing.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object({ restore: rollBackQuery.properties.restore }),
  bodyKind: 'fields',
  body: Type.Object({ version_id: Type.String({ minLength: 1, description: 'Version to roll back to.' }) }),
  replies: previewTemplate.replies,
});

export const cancelUpdate = route({
  name: 'v3CancelUpdate',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/cancel',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Cancel a stack update',
  description:
    'Cancels the update in progress and returns the stack to its last complete version, which the response contains. ' +
    'Fails with 409 if no update is in progress, if the stack has never been complete, if the update has already removed ' +
    'data: the message then says what is lost, and how to roll back; and, like any update, if it removes data that `data` does not confirm.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object(updateDataQuery),
  headers: writeHeaders,
  bodyKind: 'none',
  replies: { 202: { description: 'The stack is returning to its last complete version.', schema: accepted } },
  examples: { reply: acceptedExample('UPDATE_IN_PROGRESS') },
});

export const versionRoutes = [
  compareTemplates,
  listVersions,
  describeTemplate,
  rollBack,
  previewRollBack,
  cancelUpdate,
] as const;
