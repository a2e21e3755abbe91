import { Type } from 'typebox';
import { type Operation, operations } from '../../model/status.ts';
import { route } from '../route.ts';
import { deleteDataQuery, deletedData, deletedDataExample } from './schemas/data.ts';
import { cursor, limit } from './schemas/page.ts';
import { listedStack, stack, stackEvent, stackParams, stackStatus, writeHeaders } from './schemas/stack.ts';
import { stackSummary } from './schemas/stack-summary.ts';

const stackViews = ['full', 'summary'] as const;
type StackView = (typeof stackViews)[number];

const summaries = Type.Array(stackSummary);
const eitherList = Type.Union([Type.Array(listedStack), summaries]);

/** A caller that asks often need not get the same text again. */
const knownCopy = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({ description: '`ETag` of an earlier reply. If nothing changed since, the reply is 304.' }),
  ),
});
const unchanged = { description: 'Nothing changed: the earlier reply is still current.', schema: null };

export const listStacks = route({
  name: 'v3ListStacks',
  compressed: { view: 'summary' },
  method: 'GET',
  path: '/v3/alm/stack',
  access: { action: 'stack:describeStacks' },
  summary: 'List stacks',
  description:
    'Returns all stacks in one array. With `limit`, returns one page; the `Link` and `X-Next-Cursor` headers identify ' +
    'the next page. With `view=summary`, returns the stacks of both API versions, without templates, outputs and ' +
    'secrets. Its `Alm-Cursor` header is where `GET /v3/alm/stack/stream` continues without a gap; with pages, that of the ' +
    'first page.',
  tag: 'Stacks',
  query: Type.Object({
    view: Type.Optional(
      Type.Unsafe<StackView>(
        Type.String({
          enum: [...stackViews],
          description: '`full` (default): v3 stacks with templates. `summary`: one line per stack.',
        }),
      ),
    ),
    limit,
    cursor,
    status: Type.Optional(stackStatus),
    vendor: Type.Optional(Type.String()),
    nickname: Type.Optional(Type.String()),
  }),
  bodyKind: 'none',
  headers: knownCopy,
  tagged: true,
  replies: { 200: { description: 'The stacks.', schema: eitherList }, 304: unchanged },
});

/** The same route as its callers with `view=summary` see it, for typed clients. */
export type ListStackSummaries = Omit<typeof listStacks, 'replies'> & {
  replies: { 200: { description: string; schema: typeof summaries } };
};

export const followStacks = route({
  name: 'v3FollowStacks',
  method: 'GET',
  path: '/v3/alm/stack/stream',
  access: { action: 'stack:describeStacks' },
  summary: 'Stream changes of all stacks',
  description:
    'Streams the stacks that the caller may see, of both API versions, as server-sent events. `stack`: a stack is new or ' +
    'changed; its data is the whole summary, as in `GET /v3/alm/stack?view=summary`. `deleted`: the stack no longer exists, or ' +
    'a role now hides it; its data has the `stack_id`. `alive`: sent every 5 seconds and after changes, with the `cursor` of ' +
    'everything sent before. Without `after`, begins with all stacks. To follow a list without a gap, set `after` to its ' +
    '`Alm-Cursor` header; to resume, set `Last-Event-ID` (or `after`) to the last cursor. Some changes are then sent again. A ' +
    'cursor older than one hour, or from before a change of your roles, is refused: load the list again. The stream ends after 15 minutes at the latest; reconnect to ' +
    'continue.',
  tag: 'Stacks',
  query: Type.Object({
    after: Type.Optional(Type.String({ description: 'Cursor of a list of summaries or of this stream.' })),
  }),
  headers: Type.Object({
    'last-event-id': Type.Optional(Type.String({ description: 'Last cursor received.' })),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The stream.', schema: null, contentType: 'text/event-stream' } },
});

export const describeStack = route({
  name: 'v3DescribeStack',
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}',
  access: { action: 'stack:describeStack' },
  summary: 'Describe a stack',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object({
    view: Type.Optional(
      Type.Unsafe<'details'>(
        Type.String({
          enum: ['details'],
          description: '`details`: without `auth_token`, for pages that show a stack.',
        }),
      ),
    ),
  }),
  bodyKind: 'none',
  headers: knownCopy,
  tagged: true,
  replies: { 200: { description: 'The stack.', schema: stack }, 304: unchanged },
});

export const deleteStack = route({
  name: 'v3DeleteStack',
  method: 'DELETE',
  path: '/v3/alm/stack/{stack_id}',
  access: { action: 'stack:deleteStack' },
  summary: 'Delete a stack',
  description:
    'Deletes a stack asynchronously. Allowed in every status; repeating the request is safe. The data of databases and Redis ' +
    'caches is kept outside the stack unless `data=delete` says otherwise. Fails with 409 if a database has ' +
    '`deletion_protection`.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object(deleteDataQuery),
  headers: writeHeaders,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'Stack deletion started.',
      schema: Type.Object({ status: stackStatus, stack_id: Type.String(), data: deletedData }),
    },
  },
  examples: {
    reply: {
      status: 'DELETE_IN_PROGRESS',
      stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk',
      data: deletedDataExample,
    },
  },
});

export const listEvents = route({
  name: 'v3ListStackEvents',
  compressed: true,
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/events',
  access: { action: 'stack:describeStack' },
  summary: 'List stack events',
  description: 'Returns the events of a stack, oldest first.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Return only events with a greater `event_id`.',
      }),
    ),
    limit,
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The events.', schema: Type.Array(stackEvent) } },
});

export const followEvents = route({
  name: 'v3FollowStackEvents',
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/events/stream',
  access: { action: 'stack:describeStack' },
  summary: 'Stream stack events',
  description:
    'Streams past and new events as server-sent events. To resume, set `Last-Event-ID` (or `after`) to the id of the last ' +
    'event received. The stream ends when the stack is deleted, and after 15 minutes at the latest; reconnect to continue.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Return only events with a greater `event_id`.',
      }),
    ),
  }),
  headers: Type.Object({
    'last-event-id': Type.Optional(Type.String({ description: 'Id of the last event received.' })),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The event stream.', schema: null, contentType: 'text/event-stream' } },
});

const seconds = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

export const estimateStack = route({
  name: 'v3EstimateStack',
  asksVendor: true,
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/estimate',
  access: { action: 'stack:describeStack' },
  summary: 'Estimate the duration of a stack operation',
  description:
    'Based on past operations of the same kind in this account and on this vendor. p50 and p90 are null if there are no ' +
    'samples, and for an operation that failed and is being undone.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object({
    operation: Type.Optional(
      Type.Unsafe<Operation>(
        Type.String({
          enum: [...operations],
          description: 'Default: the current or most recent operation of the stack.',
        }),
      ),
    ),
  }),
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The estimate.',
      schema: Type.Object({
        operation: Type.String(),
        samples: Type.Integer(),
        p50_seconds: seconds('Median duration.'),
        p90_seconds: seconds('90th percentile duration.'),
        elapsed_seconds: seconds('Time since the request. Null if no operation is in progress.'),
      }),
    },
  },
});

export const stackRoutes = [
  listStacks,
  followStacks,
  describeStack,
  deleteStack,
  listEvents,
  followEvents,
  estimateStack,
] as const;
