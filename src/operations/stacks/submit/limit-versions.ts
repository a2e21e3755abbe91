import { findAccount } from '../../../store/access/account-rows.ts';
import type { Query } from '../../../store/database/database.ts';
import { pruneVersions } from '../../../store/stacks/prune-versions.ts';
import { findStackById } from '../../../store/stacks/stacks.ts';
import { quotaFrom } from '../../access/quota.ts';
import type { Service } from '../../service.ts';

/**
 * Deletes the oldest versions beyond the quota, when a new one is stored. Never one that the stack has, is to have, or that its
 * vendor was asked for last: the stack must be able to stay where it is, and to go back. Nothing during a pass, which
 * may use any of them: the next new version deletes more.
 */
export async function limitVersions(
  { settings, clock }: Service,
  query: Query,
  { stackId, newest }: { stackId: string; newest: string },
): Promise<void> {
  const stack = await findStackById(query, stackId);
  if (!stack || stack.lease_until >= clock.now()) return;
  const { versions: kept } = quotaFrom(await findAccount(query, stack.account_id), settings.quota);
  if (kept === 0) return;
  const inUse = new Set([
    newest,
    stack.desired_version,
    stack.settled_version,
    stack.tried_wish,
    stack.refused_wish,
  ]);
  await pruneVersions(query, stackId, {
    kept,
    // Until the stack is complete once, what the vendor has may still be of the first version.
    isProtected: (id, index) => inUse.has(id) || (index === 0 && stack.settled_version === null),
  });
}
