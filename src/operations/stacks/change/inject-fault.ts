import { Failure, notFound } from '../../../basics/failure.ts';
import { findCredential } from '../../../store/access/credentials.ts';
import type { Query } from '../../../store/database/database.ts';
import { wakeStack } from '../../../store/stacks/schedule.ts';
import { findStack } from '../../../store/stacks/stacks.ts';
import type { Fault } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { refuseDocument } from '../submit/refuse-document.ts';
import { connectVendor } from '../submit/vendor-access.ts';

export interface FaultTarget {
  vendor: string;
  credentialId: string;
  /** Without one, the fault waits for the next apply of the credential's cloud account. */
  stackId?: string | undefined;
}

/** Trouble on request, to see how a client or a person copes; no cloud that costs money offers it. */
export async function injectFault(
  service: Service,
  actor: Actor,
  target: FaultTarget,
  fault: Fault,
): Promise<string> {
  const { query } = service.database;
  const stack =
    target.stackId === undefined ? undefined : await findStack(query, actor.accountId, target.stackId);
  if (target.stackId !== undefined && !stack) throw notFound('Stack', target.stackId);
  const place = stack ?? (await placeBehind(query, actor.accountId, target));
  const driver = await connectVendor(service, place);
  if (!driver.injectFault) throw new Failure('invalid_request', 'This vendor makes no trouble on request');
  const onVendor = stack && { id: stack.id, accountId: stack.account_id, region: stack.region };
  const outcome = await driver.injectFault(fault, onVendor);
  if (!outcome.ok) return refuseDocument(outcome.problems);
  if (stack) {
    await wakeStack(query, stack.id, service.clock.now());
    await service.database.notify('stack-due', stack.id);
  }
  return outcome.value;
}

async function placeBehind(query: Query, accountId: string, { vendor, credentialId }: FaultTarget) {
  const credential = await findCredential(query, { accountId, vendor, id: credentialId });
  if (!credential) throw notFound(`Credential of vendor ${vendor}`, credentialId);
  return { account_id: accountId, vendor, credential_id: credentialId };
}
