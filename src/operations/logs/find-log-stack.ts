import { stackOnVendor } from '../../vendors/vendor.ts';
import type { Actor } from '../access/access.ts';
import { requireOnStack } from '../access/permission.ts';
import { findExistingStack } from '../find-stack.ts';
import type { Service } from '../service.ts';
import { connectVendor } from '../stacks/submit/vendor-access.ts';
import type { InquiryOptions } from './inquiry.ts';
import { findTargets, type InstanceFilter, type LogTarget } from './targets.ts';

const logAction = 'stack:readLogs';

export interface LogPlace {
  stackId: string;
  instances: InstanceFilter;
}

/** The stack whose logs the actor may read, of either language, and who has them now. */
export async function findLogStack(
  service: Service,
  actor: Actor,
  { stackId, instances: filter }: LogPlace,
): Promise<Pick<InquiryOptions, 'stack' | 'driver'> & { targets: LogTarget[] }> {
  const { query } = service.database;
  await requireOnStack(query, actor, { action: logAction, stackId });
  const stack = await findExistingStack(query, actor.accountId, { stackId });
  const driver = await connectVendor(service, stack);
  const targets = await findTargets(query, stack, { filter, vendorHasLogs: driver.readLogs !== undefined });
  return { stack: stackOnVendor(stack), driver, targets };
}
