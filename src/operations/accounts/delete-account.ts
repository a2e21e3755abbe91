import { Failure } from '../../basics/failure.ts';
import { type AccountRow, changeAccount } from '../../store/access/account-rows.ts';
import { listDeletedStackIds, listLiveStacks } from '../../store/access/account-usage.ts';
import { listStores, type StoreRow } from '../../store/data/stores.ts';
import {
  countRowsOfAccount,
  deleteRowsOfAccount,
  deleteRowsOfStack,
} from '../../store/database/account-owned.ts';
import type { Query } from '../../store/database/database.ts';
import { recordByOperator } from '../audit/write-entries.ts';
import { type AccountStore, lockAccount } from './change-account.ts';
import { accountNamed } from './find-account.ts';

/** What is lost when an account is deleted: its rows by table, and the record of where data is kept. */
export interface Loss {
  account: AccountRow;
  rows: ReadonlyMap<string, number>;
  kept: readonly StoreRow[];
}

export interface DeletionOptions {
  /** Kept data stays at its vendors, and nothing says any more where it is. */
  forgetData?: boolean;
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

const keptText = ({ id, stack_id: stackId, resource_type: type, resource, kept_where: where }: StoreRow) =>
  `${id} (${type} ${resource} of stack ${stackId}: ${where})`;

/** In the order of the ledger, the newest first. */
export const describeKept = (kept: readonly StoreRow[]): string[] => kept.map(keptText);

/** The only record of where the data is that outlived its stacks. */
async function keptOrRefuse(
  query: Query,
  { id }: AccountRow,
  { forgetData = false }: DeletionOptions,
): Promise<StoreRow[]> {
  const kept = await listStores(query, id, { states: ['kept'] });
  if (kept.length === 0 || forgetData) return kept;
  const list = describeKept(kept).join(', ');
  throw new Failure('conflict', `Account ${id} has data that outlived its stacks: ${list}`, {
    description:
      'Only this list says where it is. Forget it first, as a user of the account (alm data forget), or repeat the command with ' +
      '--forget-data. Nothing was changed.',
  });
}

/** Refuses like the deletion, and changes nothing. */
export async function previewDeletion(
  { database: { query } }: AccountStore,
  idOrName: string,
  options: DeletionOptions = {},
): Promise<Loss> {
  const account = await accountNamed(query, idOrName);
  await refuseLiveStacks(query, account);
  const kept = await keptOrRefuse(query, account, options);
  return { account, rows: await countRowsOfAccount(query, account.id), kept };
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
export async function deleteAccount(
  store: AccountStore,
  accountId: string,
  options: DeletionOptions = {},
): Promise<Loss> {
  const loss = await previewDeletion(store, accountId, options);
  const { database, clock } = store;
  await close(store, accountId);
  for (const stackId of await listDeletedStackIds(database.query, accountId))
    await database.transaction((query) => deleteRowsOfStack(query, stackId));
  await database.transaction(async (query) => {
    await lockAccount(store, query, accountId);
    const account = await accountNamed(query, accountId);
    await refuseLiveStacks(query, account);
    const forgotten = describeKept(await keptOrRefuse(query, account, options));
    await deleteRowsOfAccount(query, accountId);
    await changeAccount(query, accountId, { deleted_at: clock.now() });
    await recordByOperator(store, query, {
      accountId,
      command: 'account delete',
      detail: ['deleted the account', ...forgotten.map((kept) => `forgot ${kept}`)].join('; '),
    });
  });
  return loss;
}
