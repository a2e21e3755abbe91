import { Type } from 'typebox';
import { route } from '../route.ts';
import { stackParams } from './schemas/stack.ts';

const member = Type.Object({
  path: Type.String({ description: 'Names of members joined by slashes.' }),
  expected: Type.String(),
  actual: Type.String(),
});

const drift = Type.Object(
  {
    stack_id: Type.String(),
    state: Type.String({
      enum: ['never_checked', 'checking', 'in_sync', 'drifted', 'failed'],
    }),
    checked_at: Type.Union([Type.String(), Type.Null()], {
      description: 'When the last check ended, ISO 8601 with a numeric offset; null: none did.',
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
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/drift',
  access: { action: 'stack:describeStack' },
  summary: 'Compare a stack with what was asked for',
  description:
    'Begins to look for what somebody changed or deleted at the vendor by hand. It takes a while; read the answer with ' +
    'GET at the same address. Only where the vendor can do it: AWS.',
  tag: 'Stacks',
  params: stackParams,
  bodyKind: 'none',
  replies: {
    202: {
      description: 'The check has begun.',
      schema: Type.Object({ status: Type.String(), stack_id: Type.String() }),
    },
  },
  examples: { reply: { status: 'success', stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk' } },
});

export const readDrift = route({
  name: 'v3ReadDrift',
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/drift',
  access: { action: 'stack:describeStack' },
  summary: 'Read how a stack differs from what was asked for',
  tag: 'Stacks',
  params: stackParams,
  bodyKind: 'none',
  replies: { 200: { description: 'What the last check found.', schema: drift } },
});

export const driftRoutes = [startDriftCheck, readDrift];
