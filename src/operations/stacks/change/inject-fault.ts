import { Failure, notFound } from '../../../basics/failure.ts';
import { findCredential } from '../../../store/access/credentials.ts';
import type { Query } from '../../../store/database/database.ts';
import { wakeStack } from '../../../store/stacks/schedule.ts';
import { findStack } from '../../../store/stacks/stacks.ts';
import { type Fault, stackOnVendor } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { refuseDocument } from '../../documents/refuse-document.ts';
import type { Service } from '../../service.ts';
import { connectVendor } from '../submit/vendor-access.ts';

export interface FaultRequest {
  vendor: string;
  credentialId: string;
  /** Without one, the fault waits for the next apply of the credential's cloud account. */
  stackId?: string | undefined;
  fault: Fault;
}

/** Injects a fault, to test how clients and people handle it. Only vendors that cost nothing support it. */
export async function injectFault(service: Service, actor: Actor, request: FaultRequest): Promise<string> {
  const { query } = service.database;
  const stack =
    request.stackId === undefined ? undefined : await findStack(query, actor.accountId, request.stackId);
  if (request.stackId !== undefined && !stack) throw notFound('Stack', request.stackId);
  const place = stack ?? (await placeOfCredential(query, actor.accountId, request));
  const driver = await connectVendor(service, place);
  if (!driver.injectFault)
    throw new Failure('invalid_request', 'This vendor does not support fault injection');
  const outcome = await driver.injectFault(request.fault, stack && stackOnVendor(stack));
  if (!outcome.ok) return refuseDocument(outcome.problems);
  if (stack) {
    await wakeStack(query, stack.id, service.clock.now());
    await service.database.notify('stack-due', stack.id);
  }
  return outcome.value;
}

async function placeOfCredential(query: Query, accountId: string, { vendor, credentialId }: FaultRequest) {
  const credential = await findCredential(query, { accountId, vendor, id: credentialId });
  if (!credential) throw notFound(`Credential of vendor ${vendor}`, credentialId);
  return { account_id: accountId, vendor, credential_id: credentialId };
}
