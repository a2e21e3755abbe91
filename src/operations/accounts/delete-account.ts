import { Failure } from '../../basics/failure.ts';
import { type AccountRow, changeAccount } from '../../store/access/account-rows.ts';
import { listDeletedStackIds, listLiveStacks } from '../../store/access/account-usage.ts';
import {
  countRowsOfAccount,
  deleteRowsOfAccount,
  deleteRowsOfStack,
} from '../../store/database/account-owned.ts';
import type { Query } from '../../store/database/database.ts';
import { recordByOperator } from '../audit/write-entries.ts';
import { type AccountStore, lockAccount } from './change-account.ts';
import { accountNamed } from './find-account.ts';

/** What is lost when an account is deleted: its rows by table. */
export interface Loss {
  account: AccountRow;
  rows: ReadonlyMap<string, number>;
}

/** A stack that is not deleted may have servers and data at its cloud, which only the account's credentials can delete. */
async function refuseLiveStacks(query: Query, { id }: AccountRow): Promise<void> {
  const stacks = await listLiveStacks(query, id);
  if (stacks.length === 0) return;
  const list = stacks.map((stack) => `${stack.id} (${stack.nickname}, ${stack.status})`).join(', ');
  throw new Failure('conflict', `Account ${id} has ${stacks.length} stacks that are not deleted: ${list}`, {
    description: 'Delete the stacks first, as a user of the account. Nothing was changed.',
  });
}

/** Refuses like the deletion, and changes nothing. */
export async function previewDeletion({ database }: AccountStore, idOrName: string): Promise<Loss> {
  const account = await accountNamed(database.query, idOrName);
  await refuseLiveStacks(database.query, account);
  return { account, rows: await countRowsOfAccount(database.query, account.id) };
}

/** From here on nobody can create a stack or sign in. */
const close = (store: AccountStore, accountId: string): Promise<void> =>
  store.database.transaction(async (query) => {
    await lockAccount(store, query, accountId);
    const account = await accountNamed(query, accountId);
    await refuseLiveStacks(query, account);
    if (account.suspended_at === null)
      await changeAccount(query, accountId, { suspended_at: store.clock.now() });
  });

/**
 * Deletes an account without stacks. Its audit log and its row remain. Deleted stacks go one by one, to keep transactions short;
 * if the command is interrupted, the account is suspended, and running it again finishes it.
 */
export async function deleteAccount(store: AccountStore, accountId: string): Promise<Loss> {
  const loss = await previewDeletion(store, accountId);
  const { database, clock } = store;
  await close(store, accountId);
  for (const stackId of await listDeletedStackIds(database.query, accountId))
    await database.transaction((query) => deleteRowsOfStack(query, stackId));
  await database.transaction(async (query) => {
    await lockAccount(store, query, accountId);
    await refuseLiveStacks(query, await accountNamed(query, accountId));
    await deleteRowsOfAccount(query, accountId);
    await changeAccount(query, accountId, { deleted_at: clock.now() });
    await recordByOperator(store, query, {
      accountId,
      command: 'account delete',
      detail: 'deleted the account',
    });
  });
  return loss;
}
