import { Failure } from '../../../basics/failure.ts';
import { lifecycleHookName } from '../../../model/names.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { type StackRow, saveHookHeartbeat } from '../../../store/stacks/stacks.ts';
import { findVersion } from '../../../store/stacks/versions.ts';
import { type Driver, defaultHeartbeatSeconds, type LifecycleHook } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { askVendor, onVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { findVisible } from '../read/describe-stack.ts';
import { findUpdatable } from '../submit/submit-document.ts';
import { connectVendor } from '../submit/vendor-access.ts';

/** What clouds with such hooks accept. */
const heartbeatRange = { least: 30, most: 7200 };

/** Protects the members of the stack's groups for so long when they leave. Put again, the last one holds. */
export async function putLifecycleHook(
  service: Service,
  actor: Actor,
  stackId: string,
  heartbeatSeconds: number = defaultHeartbeatSeconds,
): Promise<void> {
  checkHeartbeat(heartbeatSeconds);
  const { database, clock } = service;
  const stack = await findUpdatable(database.query, actor, stackId, 'v2');
  const driver = await connectToGroup(service, stack);
  const answer = await askVendor(() => driver.putLifecycleHook(onVendor(stack), heartbeatSeconds));
  if (!answer.accepted)
    throw new Failure('conflict', `The vendor did not take the lifecycle hook: ${answer.reason}`, {
      description: 'Look at the status of the stack, and try again when it is complete.',
    });
  const message = `${nameOf(actor)} put a lifecycle hook with a heartbeat of ${heartbeatSeconds} seconds.`;
  const event = { at: clock.now(), kind: 'request', message, versionId: stack.desired_version } as const;
  await database.transaction(async (query) => {
    await saveHookHeartbeat(query, stack.id, heartbeatSeconds);
    await addEvents(query, stack.id, [event]);
  });
  await database.notify('stack-event', stack.id);
}

function checkHeartbeat(seconds: number): void {
  const { least, most } = heartbeatRange;
  if (Number.isInteger(seconds) && seconds >= least && seconds <= most) return;
  throw new Failure('invalid_request', `heartbeat must be a whole number of seconds, ${least} to ${most}`);
}

export interface NamedHook extends LifecycleHook {
  name: string;
}

export async function readLifecycleHook(service: Service, actor: Actor, stackId: string): Promise<NamedHook> {
  const stack = await findVisible(service, actor, stackId, 'v2');
  const driver = await connectToGroup(service, stack);
  const hook = await askVendor(() => driver.readLifecycleHook(onVendor(stack)));
  if (!hook)
    throw new Failure('not_found', `No lifecycle hook was put for stack ${stackId}`, {
      description: 'PUT one at the same address.',
    });
  return { ...hook, name: lifecycleHookName(stackId) };
}

type HookVerbs = Required<Pick<Driver, 'putLifecycleHook' | 'readLifecycleHook'>>;

/** Refuses what can have no hook: another vendor, or a stack without a group. */
async function connectToGroup(service: Service, stack: StackRow): Promise<HookVerbs> {
  const driver = await connectVendor(service, stack);
  const put = driver.putLifecycleHook?.bind(driver);
  const read = driver.readLifecycleHook?.bind(driver);
  if (!put || !read) throw new Failure('invalid_request', `Vendor ${stack.vendor} has no lifecycle hooks`);
  const version = await findVersion(service.database.query, stack.id, stack.desired_version);
  if (!version?.model.layers.some(({ capacity }) => capacity.kind === 'group'))
    throw new Failure('invalid_request', `Stack ${stack.id} has no autoscaling group`, {
      description: 'A lifecycle hook is for stacks whose architecture is art_elb.',
    });
  return { putLifecycleHook: put, readLifecycleHook: read };
}
