import { Failure, notFound } from '../../../basics/failure.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { wakeStack } from '../../../store/stacks/schedule.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import type { Driver } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { askVendor, onVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { findUpdatable } from '../submit/submit-document.ts';
import { connectVendor } from '../submit/vendor-access.ts';

/** Starts one instance anew, as its vendor does that: replaced by its group, or rebooted. Gives a sentence saying which. */
export async function restartInstance(
  service: Service,
  actor: Actor,
  stackId: string,
  instanceId: string,
): Promise<string> {
  const stack = await findUpdatable(service.database.query, actor, stackId, 'v2');
  const driver = await connectVendor(service, stack);
  const restart = driver.restartInstance?.bind(driver);
  if (!restart)
    throw new Failure('invalid_request', `Vendor ${stack.vendor} cannot restart single instances`);
  await refuseUnknown(driver, stack, instanceId);
  const answer = await askVendor(() => restart(onVendor(stack), instanceId));
  if (!answer.accepted)
    throw new Failure('conflict', `The vendor did not restart instance ${instanceId}: ${answer.reason}`);
  const reason = sentenceOf(instanceId, answer.protectionSeconds);
  await noteRestart(service, actor, stack, instanceId, reason);
  return reason;
}

/** Asked of the vendor, not of the stack's row: what stands there may have been replaced since. */
async function refuseUnknown(driver: Driver, stack: StackRow, instanceId: string): Promise<void> {
  const seen = await askVendor(() => driver.observe(onVendor(stack)));
  if (seen.kind === 'unreachable')
    throw new Failure('vendor_trouble', `The vendor cannot be reached: ${seen.reason}`);
  const there = seen.view.instances.find(({ id }) => id === instanceId);
  if (!there || there.state === 'terminated') throw notFound(`Instance of stack ${stack.id}`, instanceId);
}

const sentenceOf = (instanceId: string, protectionSeconds: number | null): string =>
  protectionSeconds === null
    ? `Instance ${instanceId} is in no autoscaling group and is being rebooted`
    : `Instance ${instanceId} was removed from the autoscaling group with a protection period of ${protectionSeconds} seconds`;

/** The stack is looked at soon, so that what becomes of its instances is seen. */
async function noteRestart(
  { database, clock }: Service,
  actor: Actor,
  stack: StackRow,
  instanceId: string,
  reason: string,
): Promise<void> {
  const now = clock.now();
  const message = `${nameOf(actor)} asked to restart instance ${instanceId}. ${reason}.`;
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
