import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier } from '../v3/schemas/identifier.ts';
import { stackParams } from '../v3/schemas/stack.ts';

const hookPath = '/v2/alm/stack/{stack_id}/lifecyclehook';

const lifecycleHook = Type.Object(
  {
    LifecycleTransition: Type.String(),
    GlobalTimeout: Type.String({ description: 'Seconds.' }),
    LifecycleHookName: Type.String(),
    HeartbeatTimeout: Type.String({ description: 'Seconds.' }),
  },
  { $id: 'LifecycleHook' },
);

export const putLifecycleHook = route({
  name: 'v2PutLifecycleHook',
  method: 'PUT',
  path: hookPath,
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Put the lifecycle hook',
  description:
    "How long an instance is protected when it leaves the stack's autoscaling group. Put again, the last one holds.",
  tag: 'Instances',
  params: stackParams,
  bodyKind: 'fields',
  body: Type.Object({
    heartbeat: Type.Optional(
      Type.Union([Type.Number(), Type.String()], { description: 'Seconds, 30 to 7200. Default 3600.' }),
    ),
  }),
  replies: { 200: { description: 'The hook is there.', schema: Type.Object({ status: Type.String() }) } },
  examples: { body: { heartbeat: '3600' }, reply: { status: 'success' } },
});

export const getLifecycleHook = route({
  name: 'v2GetLifecycleHook',
  method: 'GET',
  path: hookPath,
  access: { action: 'stack:describeStack' },
  summary: 'Get the lifecycle hook',
  description: '404 when none was put.',
  tag: 'Instances',
  params: stackParams,
  bodyKind: 'none',
  replies: { 200: { description: 'The hook.', schema: lifecycleHook } },
  examples: {
    reply: {
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      GlobalTimeout: '172800',
      LifecycleHookName: 'mo-5447826c870e7-aB3dE6gH9-tk-lch-ists-tmnt',
      HeartbeatTimeout: '3600',
    },
  },
});

export const restartInstance = route({
  name: 'v2RestartInstance',
  method: 'POST',
  path: '/v2/alm/stack/{stack_id}/restart_instance',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Restart an instance',
  description:
    'A member of an autoscaling group leaves it, and the group puts another in its place; the old one is protected ' +
    "for the lifecycle hook's heartbeat (3600 seconds when none was put). Any other server is rebooted.",
  tag: 'Instances',
  params: stackParams,
  bodyKind: 'fields',
  body: Type.Object({ instance_id: identifier('The instance.') }),
  replies: {
    200: {
      description: 'It has begun.',
      schema: Type.Object({
        status: Type.String(),
        reason: Type.String({ description: 'What happens to the instance.' }),
      }),
    },
  },
  examples: {
    body: { instance_id: 'i-0123456789abcdef0' },
    reply: {
      status: 'success',
      reason:
        'Instance i-0123456789abcdef0 was removed from the autoscaling group with a protection period of 3600 seconds',
    },
  },
});

export const instanceRoutes = [putLifecycleHook, getLifecycleHook, restartInstance];
