import { Type } from 'typebox';
import { configuration, deployMethods } from '../../languages/v2-configuration/schema.ts';
import { route } from '../route.ts';
import { databaseInstance, instance } from '../v3/schemas/instance.ts';
import { stackParams, stackStatus, writeHeaders } from '../v3/schemas/stack.ts';
import { estimateStack, followEvents, listEvents } from '../v3/stacks.ts';

const listed = {
  stack_id: Type.String(),
  auth_token: Type.String({ description: "The stack's own secret: its agents sign in with it." }),
  user_id: Type.String({ description: 'The account that owns it.' }),
  nickname: Type.String(),
  configuration: Type.Object({}, { description: 'As kept; every single value is a string.' }),
  create_time: Type.String({ description: 'ISO 8601 with a numeric offset.' }),
  stack_outputs: Type.Array(Type.Object({ OutputKey: Type.String(), OutputValue: Type.String() })),
  stack_status: stackStatus,
  stack_status_reason: Type.String({ description: 'Why it failed, or what it waits for; may be empty.' }),
};

export const listedV2Stack = Type.Object(listed, { $id: 'ListedV2Stack' });

export const v2Stack = Type.Object(
  {
    ...listed,
    vendor: Type.String(),
    cred: Type.String({ description: 'The credential, partly masked.' }),
    instances: Type.Array(instance),
    dbinstances: Type.Array(databaseInstance),
  },
  { $id: 'V2Stack' },
);

/** Read by the v2 language itself, which knows every spelling; see docs/v2-configuration.md. */
const configurations = (what: string) =>
  Type.Unknown({
    description:
      `${what}: an object, or its JSON text. Members: ${Object.keys(configuration.properties).join(', ')}. ` +
      'Numbers and truths may be text; an empty text counts as left out.',
  });

const pageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  cursor: Type.Optional(Type.String({ description: 'The X-Next-Cursor of the page before.' })),
});

export const listV2Stacks = route({
  name: 'v2ListStacks',
  method: 'GET',
  path: '/v2/alm/stack',
  access: { action: 'stack:describeStacks' },
  summary: 'List stacks',
  description:
    'The stacks made through v2, all of them as one array; those made from v3 templates are listed by v3. With `limit` ' +
    'the array is a page, and the next one is named by the `Link` and `X-Next-Cursor` headers.',
  tag: 'Stacks',
  query: pageQuery,
  bodyKind: 'none',
  replies: { 200: { description: 'The stacks.', schema: Type.Array(listedV2Stack) } },
});

export const createV2Stack = route({
  name: 'v2CreateStack',
  method: 'POST',
  path: '/v2/alm/stack',
  access: { action: 'template:createAlmTemplate' },
  summary: 'Create a stack',
  tag: 'Stacks',
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({
    vendor: Type.Optional(Type.String({ description: 'Default `aws`; in any case.' })),
    cred: Type.String({ minLength: 1, description: 'A saved credential.' }),
    region: Type.String({ minLength: 1 }),
    configurations: configurations('What the stack is'),
  }),
  replies: {
    200: {
      description: 'Creation has begun.',
      schema: Type.Object({ stack_id: Type.String(), status: stackStatus }),
    },
  },
  examples: {
    body: {
      cred: 'SANDBOX',
      region: 'ap-northeast-1',
      configurations: { architecture: 'art_elb', type: 't2.micro', image: 'library/nginx', min: 2, max: 4 },
    },
    reply: { stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk', status: 'CREATE_IN_PROGRESS' },
  },
});

export const describeV2Stack = route({
  name: 'v2DescribeStack',
  method: 'GET',
  path: '/v2/alm/stack/{stack_id}',
  access: { action: 'stack:describeStack' },
  summary: 'Describe a stack',
  tag: 'Stacks',
  params: stackParams,
  bodyKind: 'none',
  replies: { 200: { description: 'A list of just this stack.', schema: Type.Array(v2Stack) } },
});

export const updateV2Stack = route({
  name: 'v2UpdateStack',
  method: 'PUT',
  path: '/v2/alm/stack/{stack_id}',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Update a stack',
  description: 'Only what is sent changes.',
  tag: 'Stacks',
  params: stackParams,
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({ configurations: Type.Optional(configurations('What changes')) }),
  replies: { 200: { description: 'The update has begun.', schema: Type.Object({ status: stackStatus }) } },
  examples: { body: { configurations: '{"min":2,"max":6}' }, reply: { status: 'UPDATE_IN_PROGRESS' } },
});

export const deleteV2Stack = route({
  name: 'v2DeleteStack',
  method: 'DELETE',
  path: '/v2/alm/stack/{stack_id}',
  access: { action: 'stack:deleteStack' },
  summary: 'Delete a stack',
  description: 'Accepted in every status, and may be repeated.',
  tag: 'Stacks',
  params: stackParams,
  headers: writeHeaders,
  bodyKind: 'none',
  replies: { 200: { description: 'Deletion has begun.', schema: Type.Object({ status: stackStatus }) } },
});

export const deployCode = route({
  name: 'v2DeployCode',
  method: 'POST',
  path: '/v2/alm/stack/{stack_id}/code',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Deploy code to a stack',
  description:
    'The agents on its servers fetch the code and switch to it. `git` without `filepath` fetches the known code again.',
  tag: 'Stacks',
  params: stackParams,
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({
    method: Type.Optional(Type.String({ description: `One of ${deployMethods.join(', ')}.` })),
    filepath: Type.Optional(Type.String({ description: 'Where the code is.' })),
    privateKey: Type.Optional(Type.String({ description: 'For a private repository. Never given back.' })),
    branch: Type.Optional(Type.String({ description: 'Branch or tag.' })),
  }),
  replies: {
    200: { description: 'The agents will be told.', schema: Type.Object({ status: Type.String() }) },
  },
  examples: {
    body: { method: 'git_public', filepath: 'https://git.example.test/site.git' },
    reply: { status: 'success' },
  },
});

export const listV2Events = route({
  ...listEvents,
  name: 'v2ListStackEvents',
  path: '/v2/alm/stack/{stack_id}/events',
});

export const followV2Events = route({
  ...followEvents,
  name: 'v2FollowStackEvents',
  path: '/v2/alm/stack/{stack_id}/events/stream',
});

export const estimateV2Stack = route({
  ...estimateStack,
  name: 'v2EstimateStack',
  path: '/v2/alm/stack/{stack_id}/estimate',
});

export const stackRoutes = [
  listV2Stacks,
  createV2Stack,
  describeV2Stack,
  updateV2Stack,
  deleteV2Stack,
  deployCode,
  listV2Events,
  followV2Events,
  estimateV2Stack,
];
