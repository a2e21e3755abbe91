import { Type } from 'typebox';
import { configuration, deployMethods } from '../../languages/v2-configuration/schema.ts';
import { defaultVendor } from '../defaults.ts';
import { route } from '../route.ts';
import { listResources } from '../v3/cloud/resources.ts';
import { deletedData, deletedDataExample, updateDataQuery } from '../v3/schemas/data.ts';
import { databaseInstance, instance } from '../v3/schemas/instance.ts';
import { cursor, limit } from '../v3/schemas/page.ts';
import {
  authTokenUnlessDetails,
  stackMembers,
  stackParams,
  stackStatus,
  writeHeaders,
} from '../v3/schemas/stack.ts';
import {
  deleteStack,
  describeStack,
  estimateStack,
  followEvents,
  listEvents,
  listStacks,
} from '../v3/stacks.ts';

const listed = {
  ...stackMembers,
  configuration: Type.Object({}, { description: 'Stored configuration. All values are strings.' }),
  stack_outputs: Type.Array(Type.Object({ OutputKey: Type.String(), OutputValue: Type.String() })),
};

export const listedV2Stack = Type.Object(listed, { $id: 'ListedV2Stack' });

export const v2Stack = Type.Object(
  {
    ...listed,
    auth_token: authTokenUnlessDetails,
    vendor: Type.String(),
    cred: Type.String({ description: 'Credential id, partly masked.' }),
    instances: Type.Array(instance),
    dbinstances: Type.Array(databaseInstance),
  },
  { $id: 'V2Stack' },
);

/** Parsed by the v2 language, which accepts several spellings; see docs/v2-configuration.md. */
const configurations = (summary: string) =>
  Type.Unknown({
    description:
      `${summary}: an object or its JSON string. Members: ${Object.keys(configuration.properties).join(', ')}. ` +
      'Numbers and booleans may be strings. Empty strings are ignored.',
  });

export const listV2Stacks = route({
  ...listStacks,
  name: 'v2ListStacks',
  path: '/v2/alm/stack',
  description:
    'Returns all stacks created through v2 in one array. Stacks created from v3 templates are listed by v3. With `limit`, ' +
    'returns one page; the `Link` and `X-Next-Cursor` headers identify the next page.',
  query: Type.Object({ limit, cursor }),
  replies: { 200: { description: 'The stacks.', schema: Type.Array(listedV2Stack) } },
});

export const createV2Stack = route({
  name: 'v2CreateStack',
  asksVendor: true,
  method: 'POST',
  path: '/v2/alm/stack',
  access: { action: 'template:createAlmTemplate' },
  summary: 'Create a stack',
  description: 'Creates a stack asynchronously. Describe the stack, or follow its events, to see the result.',
  tag: 'Stacks',
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({
    vendor: Type.Optional(
      Type.String({ description: `Vendor, case-insensitive. Default: \`${defaultVendor}\`.` }),
    ),
    cred: Type.String({ minLength: 1, description: 'Id of a saved credential.' }),
    region: Type.String({ minLength: 1, description: 'Region of the vendor.' }),
    configurations: configurations('Configuration of the stack'),
  }),
  replies: {
    200: {
      description: 'Stack creation started.',
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
  ...describeStack,
  name: 'v2DescribeStack',
  path: '/v2/alm/stack/{stack_id}',
  replies: { 200: { description: 'An array that contains only this stack.', schema: Type.Array(v2Stack) } },
});

export const updateV2Stack = route({
  name: 'v2UpdateStack',
  asksVendor: true,
  method: 'PUT',
  path: '/v2/alm/stack/{stack_id}',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Update a stack',
  description:
    'Only the members in the request change. An update that removes or replaces a database or a Redis cache fails with 409 ' +
    'until `data` confirms it.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object(updateDataQuery),
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({ configurations: Type.Optional(configurations('Changed members')) }),
  replies: { 200: { description: 'Stack update started.', schema: Type.Object({ status: stackStatus }) } },
  examples: { body: { configurations: '{"min":2,"max":6}' }, reply: { status: 'UPDATE_IN_PROGRESS' } },
});

export const deleteV2Stack = route({
  ...deleteStack,
  name: 'v2DeleteStack',
  path: '/v2/alm/stack/{stack_id}',
  replies: {
    200: {
      description: 'Stack deletion started.',
      schema: Type.Object({ status: stackStatus, data: deletedData }),
    },
  },
  examples: { reply: { status: 'DELETE_IN_PROGRESS', data: deletedDataExample } },
});

export const deployCode = route({
  name: 'v2DeployCode',
  asksVendor: true,
  method: 'POST',
  path: '/v2/alm/stack/{stack_id}/code',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Deploy code to a stack',
  description:
    'The agents on the servers fetch the code and switch to it. `git` without `filepath` fetches the configured code again.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object(updateDataQuery),
  headers: writeHeaders,
  bodyKind: 'fields',
  body: Type.Object({
    method: Type.Optional(Type.String({ description: `One of ${deployMethods.join(', ')}.` })),
    filepath: Type.Optional(Type.String({ description: 'Location of the code.' })),
    privateKey: Type.Optional(
      Type.String({ description: 'Private key for a private repository. Write-only.' }),
    ),
    branch: Type.Optional(Type.String({ description: 'Branch or tag.' })),
  }),
  replies: {
    200: { description: 'Deployment started.', schema: Type.Object({ status: Type.String() }) },
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

export const listV2Resources = route({
  ...listResources,
  name: 'v2ListStackResources',
  asksVendor: true,
  path: '/v2/alm/stack/{stack_id}/resources',
  description:
    'Returns every resource of the stack with its dependencies and its status. During an update, and after one that ' +
    'failed, also those that the new configuration no longer has.',
});

export const estimateV2Stack = route({
  ...estimateStack,
  name: 'v2EstimateStack',
  asksVendor: true,
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
  listV2Resources,
  estimateV2Stack,
] as const;
