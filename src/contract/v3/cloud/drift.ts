import { Type } from 'typebox';
import { route } from '../../route.ts';
import { stackParams } from '../schemas/stack.ts';
import { driftStates } from '../schemas/stack-summary.ts';

const member = Type.Object({
  path: Type.String({ description: 'Member names, separated by slashes.' }),
  expected: Type.String(),
  actual: Type.String(),
});

const drift = Type.Object(
  {
    stack_id: Type.String(),
    state: Type.String({
      enum: [...driftStates],
    }),
    checked_at: Type.Union([Type.String(), Type.Null()], {
      description: 'End time of the last check, ISO 8601 with a numeric offset. Null if no check has ended.',
    }),
    reason: Type.String(),
    resources: Type.Array(
      Type.Object({
        resource: Type.String(),
        resource_type: Type.String(),
        kind: Type.String({ enum: ['changed', 'deleted'] }),
        members: Type.Array(member),
      }),
    ),
  },
  { $id: 'Drift' },
);

export const startDriftCheck = route({
  name: 'v3StartDriftCheck',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/drift',
  access: { action: 'stack:describeStack' },
  summary: 'Start a drift check',
  description:
    'Starts an asynchronous check for resources that were changed or deleted outside of Almanac. Get the result with GET ' +
    'on the same path. Supported on AWS, Alibaba Cloud and OpenStack.',
  tag: 'Stacks',
  params: stackParams,
  bodyKind: 'none',
  replies: {
    202: {
      description: 'Drift check started.',
      schema: Type.Object({ status: Type.String(), stack_id: Type.String() }),
    },
  },
  examples: { reply: { status: 'success', stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk' } },
});

export const readDrift = route({
  name: 'v3ReadDrift',
  asksVendor: true,
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/drift',
  access: { action: 'stack:describeStack' },
  summary: 'Get the result of the drift check',
  tag: 'Stacks',
  params: stackParams,
  bodyKind: 'none',
  replies: { 200: { description: 'The result of the last check.', schema: drift } },
});

export const driftRoutes = [startDriftCheck, readDrift] as const;
