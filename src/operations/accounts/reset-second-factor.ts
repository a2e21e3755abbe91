import { Failure } from '../../basics/failure.ts';
import { deleteSecondFactor } from '../../store/access/second-factors.ts';
import { listUsers } from '../../store/access/users.ts';
import { recordByOperator } from '../audit/write-entries.ts';
import { type AccountStore, lockAccount } from './change-account.ts';
import { accountNamed } from './find-account.ts';

interface ResetFactor {
  accountId: string;
  /** Name of the master user. */
  username: string;
}

/** For a master who lost the device and the recovery codes: nobody in the account can help. The password remains required. */
export const resetMasterFactor = (store: AccountStore, idOrName: string): Promise<ResetFactor> =>
  store.database.transaction(async (query) => {
    const { id: accountId } = await accountNamed(query, idOrName);
    await lockAccount(store, query, accountId);
    const master = (await listUsers(query, accountId)).find((user) => user.master === 1);
    if (!master || !(await deleteSecondFactor(query, master.id)))
      throw new Failure('conflict', `The master of account ${accountId} has no second factor`);
    const { username } = master;
    const detail = `removed the second factor of the master ${username}`;
    await recordByOperator(store, query, { accountId, command: 'account reset-second-factor', detail });
    return { accountId, username };
  });
