import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier } from '../v3/schemas/identifier.ts';
import { stackParams } from '../v3/schemas/stack.ts';

const hookPath = '/v2/alm/stack/{stack_id}/lifecyclehook';

const lifecycleHook = Type.Object(
  {
    LifecycleTransition: Type.String(),
    GlobalTimeout: Type.String({ description: 'Timeout in seconds, as a string.' }),
    LifecycleHookName: Type.String(),
    HeartbeatTimeout: Type.String({ description: 'Timeout in seconds, as a string.' }),
  },
  { $id: 'LifecycleHook' },
);

export const putLifecycleHook = route({
  name: 'v2PutLifecycleHook',
  asksVendor: true,
  method: 'PUT',
  path: hookPath,
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Create or update the lifecycle hook',
  description:
    'Sets how long an instance is protected when it leaves the autoscaling group of the stack. Replaces an existing hook.',
  tag: 'Instances',
  params: stackParams,
  bodyKind: 'fields',
  body: Type.Object({
    heartbeat: Type.Optional(
      Type.Union([Type.Number(), Type.String()], {
        description: 'Timeout in seconds, 30 to 7200. Default: 3600.',
      }),
    ),
  }),
  replies: {
    200: { description: 'The lifecycle hook is set.', schema: Type.Object({ status: Type.String() }) },
  },
  examples: { body: { heartbeat: '3600' }, reply: { status: 'success' } },
});

const getLifecycleHook = route({
  name: 'v2GetLifecycleHook',
  asksVendor: true,
  method: 'GET',
  path: hookPath,
  access: { action: 'stack:describeStack' },
  summary: 'Get the lifecycle hook',
  description: 'Fails with 404 if the stack has no lifecycle hook.',
  tag: 'Instances',
  params: stackParams,
  bodyKind: 'none',
  replies: { 200: { description: 'The lifecycle hook.', schema: lifecycleHook } },
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
  asksVendor: true,
  method: 'POST',
  path: '/v2/alm/stack/{stack_id}/restart_instance',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Restart an instance',
  description:
    'Replaces an instance of an autoscaling group; the old instance is protected for the heartbeat timeout of the ' +
    'lifecycle hook (3600 seconds if there is none). Other instances are rebooted.',
  tag: 'Instances',
  params: stackParams,
  bodyKind: 'fields',
  body: Type.Object({ instance_id: identifier('Instance id.') }),
  replies: {
    200: {
      description: 'Restart started.',
      schema: Type.Object({
        status: Type.String(),
        reason: Type.String({ description: 'Description of the action taken.' }),
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

export const instanceRoutes = [putLifecycleHook, getLifecycleHook, restartInstance] as const;
