import { findAccount } from '../../../store/access/account-rows.ts';
import { countLiveStacks } from '../../../store/access/account-usage.ts';
import type { Query } from '../../../store/database/database.ts';
import { quotaExceeded, quotaFrom } from '../../access/quota.ts';
import { refuseIfSuspended } from '../../access/suspension.ts';
import type { Service } from '../../service.ts';

/**
 * Refuses a new stack of a suspended account, or beyond its quota. Runs in the transaction that inserts the stack, under locks:
 * the account is not deleted in between, and concurrent requests cannot exceed a quota together. Without a quota they do not
 * wait for each other.
 */
export async function admitStack(
  { database, settings }: Service,
  query: Query,
  accountId: string,
): Promise<void> {
  await database.lockShared(query, `stacks of ${accountId}`);
  const account = await findAccount(query, accountId);
  refuseIfSuspended(account);
  const { stacks } = quotaFrom(account, settings.quota);
  if (stacks === 0) return;
  await database.lock(query, `quota of ${accountId}`);
  if ((await countLiveStacks(query, accountId)) >= stacks)
    throw quotaExceeded('stacks', stacks, 'Delete a stack that is no longer needed.');
}
