import { Failure } from '../../../basics/failure.ts';
import { lifecycleHookName } from '../../../model/hook-name.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { type StackRow, saveHookHeartbeat } from '../../../store/stacks/stacks.ts';
import { findVersion } from '../../../store/stacks/versions.ts';
import {
  type Driver,
  defaultHeartbeatSeconds,
  type LifecycleHook,
  stackOnVendor,
} from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { askVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { findVisible } from '../read/describe-stack.ts';
import { findUpdatable } from '../submit/submit-document.ts';
import { connectVendor } from '../submit/vendor-access.ts';

/** Range that clouds with lifecycle hooks accept. */
const minHeartbeatSeconds = 30;
const maxHeartbeatSeconds = 7200;

export interface HookRequest {
  stackId: string;
  heartbeatSeconds?: number | undefined;
}

/** Delays the termination of members of the stack's autoscaling groups. A later hook replaces an earlier one. */
export async function putLifecycleHook(
  service: Service,
  actor: Actor,
  { stackId, heartbeatSeconds = defaultHeartbeatSeconds }: HookRequest,
): Promise<void> {
  checkHeartbeat(heartbeatSeconds);
  const { database, clock } = service;
  const stack = await findUpdatable(database.query, actor, { stackId, language: 'v2' });
  const driver = await connectToGroup(service, stack);
  const answer = await askVendor(service, stack.account_id, () =>
    driver.putLifecycleHook(stackOnVendor(stack), heartbeatSeconds),
  );
  if (!answer.accepted)
    throw new Failure('conflict', `The vendor rejected the lifecycle hook: ${answer.reason}`, {
      description: 'Check the status of the stack, and try again when it is complete.',
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
  if (Number.isInteger(seconds) && seconds >= minHeartbeatSeconds && seconds <= maxHeartbeatSeconds) return;
  throw new Failure(
    'invalid_request',
    `heartbeat must be an integer from ${minHeartbeatSeconds} to ${maxHeartbeatSeconds} (seconds)`,
  );
}

export interface NamedHook extends LifecycleHook {
  name: string;
}

export async function readLifecycleHook(service: Service, actor: Actor, stackId: string): Promise<NamedHook> {
  const stack = await findVisible(service, actor, { stackId, language: 'v2' });
  const driver = await connectToGroup(service, stack);
  const hook = await askVendor(service, stack.account_id, () =>
    driver.readLifecycleHook(stackOnVendor(stack)),
  );
  if (!hook)
    throw new Failure('not_found', `Stack ${stackId} has no lifecycle hook`, {
      description: 'Create one with PUT on the same path.',
    });
  return { ...hook, name: lifecycleHookName(stackId) };
}

type HookVerbs = Required<Pick<Driver, 'putLifecycleHook' | 'readLifecycleHook'>>;

/** Connects to the vendor; refuses vendors without lifecycle hooks and stacks without an autoscaling group. */
async function connectToGroup(service: Service, stack: StackRow): Promise<HookVerbs> {
  const driver = await connectVendor(service, stack);
  const put = driver.putLifecycleHook?.bind(driver);
  const read = driver.readLifecycleHook?.bind(driver);
  if (!put || !read)
    throw new Failure('invalid_request', `Vendor ${stack.vendor} does not support lifecycle hooks`);
  const version = await findVersion(service.database.query, stack.id, stack.desired_version);
  if (!version?.model.layers.some(({ capacity }) => capacity.kind === 'group'))
    throw new Failure('invalid_request', `Stack ${stack.id} has no autoscaling group`, {
      description: 'A lifecycle hook requires a stack whose architecture is art_elb.',
    });
  return { putLifecycleHook: put, readLifecycleHook: read };
}
