import { Failure } from '../../basics/failure.ts';
import { type AccountRow, findAccount, findAccountOfToken } from '../../store/access/account-rows.ts';
import type { Query } from '../../store/database/database.ts';
import type { Service } from '../service.ts';

export const refuseIfSuspended = (account: AccountRow | undefined): void => {
  if (!account || account.suspended_at === null) return;
  throw new Failure('account_suspended', 'The account is suspended; ask the operator', {
    description: 'The operator of this server has suspended the account. Its stacks keep running unchanged.',
  });
};

/** Call it only after the credentials were checked: others must not learn the state of an account. */
export const refuseSuspended = async (query: Query, accountId: string): Promise<void> =>
  refuseIfSuspended(await findAccount(query, accountId));

/** Explains why the token of a suspended account is not accepted. */
export const refuseSuspendedToken = async ({ database, clock }: Service, tokenHash: string): Promise<void> =>
  refuseIfSuspended(await findAccountOfToken(database.query, tokenHash, clock.now()));
