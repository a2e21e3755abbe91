import { Type } from 'typebox';
import { type Operation, operations } from '../../model/status.ts';
import { route } from '../route.ts';
import { listedStack, stack, stackEvent, stackParams, stackStatus, writeHeaders } from './schemas/stack.ts';

const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));

export const listStacks = route({
  name: 'v3ListStacks',
  method: 'GET',
  path: '/v3/alm/stack',
  access: { action: 'stack:describeStacks' },
  summary: 'List stacks',
  description:
    'All of them as one array. With `limit` the array is a page, and the next one is named by the `Link` and ' +
    '`X-Next-Cursor` headers.',
  tag: 'Stacks',
  query: Type.Object({
    limit,
    cursor: Type.Optional(Type.String({ description: 'The X-Next-Cursor of the page before.' })),
    status: Type.Optional(stackStatus),
    vendor: Type.Optional(Type.String()),
    nickname: Type.Optional(Type.String()),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The stacks.', schema: Type.Array(listedStack) } },
});

export const describeStack = route({
  name: 'v3DescribeStack',
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}',
  access: { action: 'stack:describeStack' },
  summary: 'Describe a stack',
  tag: 'Stacks',
  params: stackParams,
  bodyKind: 'none',
  replies: { 200: { description: 'The stack.', schema: stack } },
});

export const deleteStack = route({
  name: 'v3DeleteStack',
  method: 'DELETE',
  path: '/v3/alm/stack/{stack_id}',
  access: { action: 'stack:deleteStack' },
  summary: 'Delete a stack',
  description: 'Accepted in every status, and may be repeated.',
  tag: 'Stacks',
  params: stackParams,
  headers: writeHeaders,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'Deletion has begun.',
      schema: Type.Object({ status: stackStatus, stack_id: Type.String() }),
    },
  },
  examples: { reply: { status: 'DELETE_IN_PROGRESS', stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk' } },
});

export const listEvents = route({
  name: 'v3ListStackEvents',
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/events',
  access: { action: 'stack:describeStack' },
  summary: 'Read what happened to a stack',
  description: 'Oldest first.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events with a higher event_id.' })),
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
  summary: 'Follow what happens to a stack',
  description:
    'Server-sent events: those that were, then each as it comes. `Last-Event-ID` (or `after`) says where to go on. ' +
    'The stream ends when the stack is deleted, and after a quarter of an hour at the latest: come again.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events with a higher event_id.' })),
  }),
  headers: Type.Object({
    'last-event-id': Type.Optional(Type.String({ description: 'The id of the last event received.' })),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The events.', schema: null, contentType: 'text/event-stream' } },
});

const seconds = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

export const estimateStack = route({
  name: 'v3EstimateStack',
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/estimate',
  access: { action: 'stack:describeStack' },
  summary: 'How long a change of a stack is expected to take',
  description:
    'From what the same kind of change took before, in this account and on this vendor. Half of them took no longer than ' +
    'p50, nine in ten no longer than p90. With no samples yet, both are null.',
  tag: 'Stacks',
  params: stackParams,
  query: Type.Object({
    operation: Type.Optional(
      Type.Unsafe<Operation>(
        Type.String({
          enum: [...operations],
          description: 'Default: what the stack is going through, or went through last.',
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
        p50_seconds: seconds('Half took no longer.'),
        p90_seconds: seconds('Nine in ten took no longer.'),
        elapsed_seconds: seconds('Since it was asked for; null when nothing is under way.'),
      }),
    },
  },
});

export const stackRoutes = [listStacks, describeStack, deleteStack, listEvents, followEvents, estimateStack];
