import { Failure, notFound } from '../../../basics/failure.ts';
import { findCredential } from '../../../store/access/credentials.ts';
import type { Query } from '../../../store/database/database.ts';
import { wakeStack } from '../../../store/stacks/schedule.ts';
import { presenceOfStacks } from '../../../store/stacks/stack-presence.ts';
import { findStack } from '../../../store/stacks/stacks.ts';
import { type Fault, type FaultInForce, stackOnVendor } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { refuseDocument } from '../../documents/refuse-document.ts';
import type { Service } from '../../service.ts';
import { connectVendor } from '../submit/vendor-access.ts';

/** A stack, or the cloud account of a credential. */
export interface FaultPlace {
  vendor: string;
  credentialId: string;
  /** Without one, a fault waits for the next apply of the credential's cloud account. */
  stackId?: string | undefined;
}

export interface FaultRequest extends FaultPlace {
  fault: Fault;
}

/** Injects a fault, to test how clients and people handle it. Only vendors that cost nothing support it. */
export async function injectFault(service: Service, actor: Actor, request: FaultRequest): Promise<string> {
  const { stack, driver } = await connectToPlace(service, actor, request);
  if (!driver.injectFault) throw noFaults();
  const outcome = await driver.injectFault(request.fault, stack && stackOnVendor(stack));
  if (!outcome.ok) return refuseDocument(outcome.problems);
  if (stack) {
    await wakeStack(service.database.query, stack.id, service.clock.now());
    await service.database.notify('stack-due', stack.id);
  }
  return outcome.value;
}

/** The faults that still wait or last: of the cloud account, or those that can reach the stack. */
export async function listFaults(
  service: Service,
  actor: Actor,
  place: FaultPlace,
): Promise<readonly FaultInForce[]> {
  const { stack, driver } = await connectToPlace(service, actor, place);
  if (!driver.injectFault) throw noFaults();
  const faults = (await driver.listFaults?.()) ?? [];
  return stack
    ? faults.filter(({ stackId }) => (stackId ?? stack.id) === stack.id)
    : withoutDeletedStacks(service, faults);
}

/** The cloud forgets the faults of a stack some time after the stack; none of them can happen any more. */
async function withoutDeletedStacks(
  { database }: Service,
  faults: readonly FaultInForce[],
): Promise<readonly FaultInForce[]> {
  const ids = new Set(faults.flatMap(({ stackId }) => stackId ?? []));
  const presence = await presenceOfStacks(database.query, [...ids]);
  return faults.filter(({ stackId }) => stackId === null || presence.get(stackId) === 'exists');
}

const noFaults = (): Failure =>
  new Failure('invalid_request', 'This vendor does not support fault injection');

async function connectToPlace(service: Service, actor: Actor, place: FaultPlace) {
  const { query } = service.database;
  const { accountId } = actor;
  const stack = place.stackId === undefined ? undefined : await findStack(query, accountId, place.stackId);
  if (place.stackId !== undefined && (!stack || stack.deleted_at !== null))
    throw notFound('Stack', place.stackId);
  const credential = stack ?? (await placeOfCredential(query, accountId, place));
  return { stack, driver: await connectVendor(service, credential) };
}

async function placeOfCredential(query: Query, accountId: string, { vendor, credentialId }: FaultPlace) {
  const credential = await findCredential(query, { accountId, vendor, id: credentialId });
  if (!credential) throw notFound(`Credential of vendor ${vendor}`, credentialId);
  return { account_id: accountId, vendor, credential_id: credentialId };
}
