import type { Static } from 'typebox';
import type * as instances from '../../contract/v2/instances.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { putLifecycleHook, readLifecycleHook } from '../../operations/stacks/change/lifecycle-hook.ts';
import { restartInstance } from '../../operations/stacks/change/restart-instance.ts';
import type { Handlers } from '../http/binding.ts';

type Heartbeat = Static<typeof instances.putLifecycleHook.body>['heartbeat'];

/** Clients send an empty value instead of omitting it. Returns NaN for other text, which the operation rejects. */
const parseHeartbeat = (heartbeat: Heartbeat): number | undefined => {
  if (heartbeat === undefined || heartbeat === '') return undefined;
  return typeof heartbeat === 'number' ? heartbeat : parseInteger(heartbeat);
};

const parseInteger = (text: string): number => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN);

export const instanceHandlers = (service: Service): Handlers<typeof instances.instanceRoutes, Actor> => ({
  putLifecycleHook: async ({ actor, params, body }) => {
    await putLifecycleHook(service, actor, {
      stackId: params.stack_id,
      heartbeatSeconds: parseHeartbeat(body.heartbeat),
    });
    return { status: 'success' };
  },
  getLifecycleHook: async ({ actor, params }) => {
    const hook = await readLifecycleHook(service, actor, params.stack_id);
    return {
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      GlobalTimeout: String(hook.globalTimeoutSeconds),
      LifecycleHookName: hook.name,
      HeartbeatTimeout: String(hook.heartbeatSeconds),
    };
  },
  restartInstance: async ({ actor, params, body }) => ({
    status: 'success',
    reason: await restartInstance(service, actor, {
      stackId: params.stack_id,
      instanceId: body.instance_id,
    }),
  }),
});
