import { findAccount } from '../../../store/access/account-rows.ts';
import { countLiveStacks } from '../../../store/access/account-usage.ts';
import type { Query } from '../../../store/database/database.ts';
import { quotaExceeded, quotaFrom } from '../../access/quota.ts';
import { refuseIfSuspended } from '../../access/suspension.ts';
import type { Service } from '../../service.ts';

/**
 * Refuses a new stack of a suspended account, or beyond its quota. Runs in the transaction that inserts the stack, under a lock:
 * concurrent requests cannot exceed the quota together, and the account is not deleted in between.
 */
export async function admitStack(
  { database, settings }: Service,
  query: Query,
  accountId: string,
): Promise<void> {
  await database.lock(query, `stacks of ${accountId}`);
  const account = await findAccount(query, accountId);
  refuseIfSuspended(account);
  const { stacks } = quotaFrom(account, settings.quota);
  if (stacks > 0 && (await countLiveStacks(query, accountId)) >= stacks)
    throw quotaExceeded('stacks', stacks, 'Delete a stack that is no longer needed.');
}
