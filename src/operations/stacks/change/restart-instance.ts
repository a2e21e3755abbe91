import { Failure, notFound } from '../../../basics/failure.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { wakeStack } from '../../../store/stacks/schedule.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { type Observation, stackOnVendor } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { askVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { findUpdatable } from '../submit/submit-document.ts';
import { connectVendor } from '../submit/vendor-access.ts';

export interface RestartRequest {
  stackId: string;
  instanceId: string;
}

/** Restarts one instance: its group replaces it, or it is rebooted. Returns a sentence that says which. */
export async function restartInstance(
  service: Service,
  actor: Actor,
  { stackId, instanceId }: RestartRequest,
): Promise<string> {
  const stack = await findUpdatable(service.database.query, actor, { stackId, language: 'v2' });
  const driver = await connectVendor(service, stack);
  const restart = driver.restartInstance?.bind(driver);
  if (!restart)
    throw new Failure('invalid_request', `Vendor ${stack.vendor} cannot restart single instances`);
  const observed = await askVendor(service, stack.account_id, () => driver.observe(stackOnVendor(stack)));
  refuseUnknown(observed, stack, instanceId);
  const answer = await askVendor(service, stack.account_id, () => restart(stackOnVendor(stack), instanceId));
  if (!answer.accepted)
    throw new Failure('conflict', `The vendor did not restart instance ${instanceId}: ${answer.reason}`);
  const reason = sentenceOf(instanceId, answer.protectionSeconds);
  await recordRestart(service, stack, {
    instanceId,
    message: `${nameOf(actor)} asked to restart instance ${instanceId}. ${reason}.`,
  });
  return reason;
}

/** As the vendor shows it now: the instances in the stack's row may have been replaced since. */
function refuseUnknown(observed: Observation, stack: StackRow, instanceId: string): void {
  if (observed.kind === 'unreachable')
    throw new Failure('vendor_trouble', `The vendor cannot be reached: ${observed.reason}`);
  const instance = observed.view.instances.find(({ id }) => id === instanceId);
  if (!instance || instance.state === 'terminated')
    throw notFound(`Instance of stack ${stack.id}`, instanceId);
}

const sentenceOf = (instanceId: string, protectionSeconds: number | null): string =>
  protectionSeconds === null
    ? `Instance ${instanceId} is in no autoscaling group and is being rebooted`
    : `Instance ${instanceId} was removed from the autoscaling group with a protection period of ${protectionSeconds} seconds`;

/** Also wakes the stack, so that the changes to its instances are observed soon. */
async function recordRestart(
  { database, clock }: Service,
  stack: StackRow,
  { instanceId, message }: { instanceId: string; message: string },
): Promise<void> {
  const now = clock.now();
  const versionId = stack.desired_version;
  await database.transaction(async (query) => {
    await addEvents(query, stack.id, [
      { at: now, kind: 'request', resource: instanceId, message, versionId },
    ]);
    await wakeStack(query, stack.id, now);
  });
  await database.notify('stack-event', stack.id);
  await database.notify('stack-due', stack.id);
}
