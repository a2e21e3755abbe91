import { Type } from 'typebox';
import { type StoreKind, storeKinds } from '../../model/data-choice.ts';
import { route } from '../route.ts';
import { affectedStores, deleteDataQuery, updateDataQuery } from './schemas/data.ts';
import { cursor, limit } from './schemas/page.ts';
import { stackParams, writeHeaders } from './schemas/stack.ts';
import { accepted, acceptedExample } from './templates.ts';

const storeStates = ['expected', 'in_use', 'kept', 'forgotten', 'gone', 'lost'] as const;
type StoreState = (typeof storeStates)[number];

const time = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description} ISO 8601.` });

const state = Type.Unsafe<StoreState>(
  Type.String({
    enum: [...storeStates],
    description:
      '`expected`: it is being made. `in_use`. `kept`: its data outlived it. `forgotten`: kept, but no longer listed. `gone`: ' +
      'deleted as requested. `lost`: it vanished, and nobody asked for that.',
  }),
);

const dataStore = Type.Object(
  {
    id: Type.String(),
    stack_id: Type.String(),
    nickname: Type.String({ description: 'Of the stack.' }),
    vendor: Type.String(),
    region: Type.String(),
    kind: Type.Unsafe<StoreKind>(Type.String({ enum: [...storeKinds] })),
    name: Type.String({ description: 'Name of the database or cache, or flag of the layer, in lower case.' }),
    resource: Type.String({ description: 'Name of the resource in the vendor document.' }),
    resource_type: Type.String(),
    store_id: Type.String({ description: 'Id at the vendor.' }),
    size_gib: Type.Union([Type.Integer(), Type.Null()]),
    state,
    protected: Type.Boolean({ description: 'It has `deletion_protection`.' }),
    since: time('When it was first seen.'),
    version_id: Type.String({ description: 'Version that made it.' }),
    restored_from: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the kept data it was made from.',
    }),
    kept: Type.Union([
      Type.Object({
        reference: Type.String({
          description: 'Id at the vendor of what is kept. Empty: the vendor does not show it yet.',
        }),
        where: Type.String({ description: 'What it is, and where to find it.' }),
        since: time('Since when.'),
        until: time('When the vendor deletes it. Null: never.'),
        restore: Type.String({ description: 'How to restore it.' }),
      }),
      Type.Null(),
    ]),
    ended_at: time('When it ended.'),
    ended_by: Type.String({ description: 'Version or deletion that ended it. Empty: none.' }),
    released_by: Type.String({ description: 'Who released it. Empty: nobody.' }),
  },
  { $id: 'DataStore' },
);

const dataExample = {
  id: 'data-5447826c870e7-aB3dE6gH9',
  stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk',
  nickname: 'shop',
  vendor: 'aws',
  region: 'ap-northeast-1',
  kind: 'database',
  name: 'app',
  resource: 'Databaseapp',
  resource_type: 'AWS::RDS::DBInstance',
  store_id: 'alm-app-1',
  size_gib: 20,
  state: 'in_use',
  protected: false,
  since: '2026-11-18T09:00:00.000Z',
  version_id: 'k3Yw1QmZp7vXc2Rt9LbN4sHd6JfG8aEu',
  restored_from: null,
  kept: null,
  ended_at: null,
  ended_by: '',
  released_by: '',
} as const;

const dataParams = Type.Object({ data_id: Type.String({ maxLength: 128, description: 'Id of the store.' }) });

export const listData = route({
  name: 'v3ListData',
  compressed: true,
  method: 'GET',
  path: '/v3/alm/data',
  access: { action: 'stack:describeStacks' },
  summary: 'List stores of data',
  description:
    'Returns everything that holds data at vendors, and what is kept of what is gone, of all stacks that the caller may see, newest ' +
    'first. Without `state`: what exists or is kept, and what was lost.',
  tag: 'Data',
  query: Type.Object({
    stack_id: Type.Optional(Type.String({ maxLength: 128, description: 'Only of this stack.' })),
    state: Type.Optional(
      Type.Unsafe<StoreState | 'all'>(
        Type.String({ enum: [...storeStates, 'all'], description: 'Only in this state, or `all`.' }),
      ),
    ),
    kind: Type.Optional(
      Type.Unsafe<StoreKind>(Type.String({ enum: [...storeKinds], description: 'Only of this kind.' })),
    ),
    limit,
    cursor,
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The stores.', schema: Type.Array(dataStore) } },
  examples: { reply: [dataExample] },
});

export const describeData = route({
  name: 'v3DescribeData',
  asksVendor: true,
  method: 'GET',
  path: '/v3/alm/data/{data_id}',
  access: { action: 'stack:describeStack' },
  summary: 'Describe a store of data',
  tag: 'Data',
  params: dataParams,
  bodyKind: 'none',
  replies: { 200: { description: 'The store.', schema: dataStore } },
  examples: { reply: dataExample },
});

export const forgetData = route({
  name: 'v3ForgetData',
  method: 'DELETE',
  path: '/v3/alm/data/{data_id}',
  access: { action: 'stack:deleteStack' },
  summary: 'Forget kept data',
  description:
    'Takes kept data off the list. Nothing is deleted at the vendor: the reply says where it still is. 409 if it is not kept.',
  tag: 'Data',
  params: dataParams,
  bodyKind: 'none',
  replies: {
    200: { description: 'The store.', schema: dataStore },
    409: { description: 'It is not kept data.', schema: null },
  },
});

export const restoreData = route({
  name: 'v3RestoreData',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/data/{data_id}/restore',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Restore kept data',
  description:
    'Updates the stack that the data comes from: the current template, with the section of the database, cache or storage as it was, ' +
    'and `restore_from`. 409 if the stack has such a store in use, or is deleted: then put `restore_from` into a template.',
  tag: 'Data',
  params: dataParams,
  query: Type.Object(updateDataQuery),
  headers: writeHeaders,
  bodyKind: 'none',
  replies: { 202: { description: 'Stack update started.', schema: accepted } },
  examples: { reply: acceptedExample('UPDATE_IN_PROGRESS') },
});

export const previewDeletion = route({
  name: 'v3PreviewDeletion',
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/deletion',
  access: { action: 'stack:describeStack' },
  summary: 'Preview the deletion of a stack',
  description:
    'Returns what becomes of the data of a stack of either interface version if it is deleted, and what the request must confirm. ' +
    'Changes nothing.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object({ data: deleteDataQuery.data }),
  bodyKind: 'none',
  replies: {
    200: {
      description: 'What becomes of the data.',
      schema: Type.Object({ stack_id: Type.String(), data: affectedStores }),
    },
    409: { description: 'The credential of the stack is gone.', schema: null },
  },
});

export const dataRoutes = [listData, describeData, forgetData, restoreData, previewDeletion] as const;
