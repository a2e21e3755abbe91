import type { Static } from 'typebox';
import * as instances from '../../contract/v2/instances.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { putLifecycleHook, readLifecycleHook } from '../../operations/stacks/change/lifecycle-hook.ts';
import { restartInstance } from '../../operations/stacks/change/restart-instance.ts';
import { type Binding, bindFor } from '../http/binding.ts';

const bind = bindFor<Actor>();

type Heartbeat = Static<typeof instances.putLifecycleHook.body>['heartbeat'];

/** Clients leave a value out by sending it empty. What is no number is left for the operation to refuse. */
const secondsIn = (sent: Heartbeat): number | undefined =>
  sent === undefined || sent === '' ? undefined : typeof sent === 'number' ? sent : wholeNumber(sent);

const wholeNumber = (text: string): number => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN);

export const instanceBindings = (service: Service): Binding<Actor>[] => [
  bind(instances.putLifecycleHook, async ({ actor, params, body }) => {
    await putLifecycleHook(service, actor, {
      stackId: params.stack_id,
      heartbeatSeconds: secondsIn(body.heartbeat),
    });
    return { status: 'success' };
  }),
  bind(instances.getLifecycleHook, async ({ actor, params }) => {
    const hook = await readLifecycleHook(service, actor, params.stack_id);
    return {
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      GlobalTimeout: String(hook.globalTimeoutSeconds),
      LifecycleHookName: hook.name,
      HeartbeatTimeout: String(hook.heartbeatSeconds),
    };
  }),
  bind(instances.restartInstance, async ({ actor, params, body }) => ({
    status: 'success',
    reason: await restartInstance(service, actor, {
      stackId: params.stack_id,
      instanceId: body.instance_id,
    }),
  })),
];
