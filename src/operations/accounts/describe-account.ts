import type { Quota } from '../../model/quota.ts';
import { type AccountRow, findAccount, listAccounts } from '../../store/access/account-rows.ts';
import { type AccountUsage, readUsage } from '../../store/access/account-usage.ts';
import type { Query } from '../../store/database/database.ts';
import type { Actor } from '../access/access.ts';
import { quotaFrom } from '../access/quota.ts';
import type { Service } from '../service.ts';
import { accountNamed, requireStarted } from './find-account.ts';

export interface DescribedAccount {
  id: string;
  name: string;
  state: 'active' | 'suspended' | 'deleted';
  createdAt: number;
  usage: AccountUsage;
  /** 0: no limit. */
  quota: Quota;
}

const stateOf = ({ suspended_at, deleted_at }: AccountRow): DescribedAccount['state'] => {
  if (deleted_at !== null) return 'deleted';
  return suspended_at === null ? 'active' : 'suspended';
};

const described = async (query: Query, account: AccountRow, defaults: Quota): Promise<DescribedAccount> => ({
  id: account.id,
  name: account.name,
  state: stateOf(account),
  createdAt: account.created_at,
  usage: await readUsage(query, account.id),
  quota: quotaFrom(account, defaults),
});

/** For the operator: oldest first, with deleted accounts only on request. */
export async function describeAccounts(
  query: Query,
  { defaults, deleted }: { defaults: Quota; deleted: boolean },
): Promise<DescribedAccount[]> {
  await requireStarted(query);
  const accounts = (await listAccounts(query)).filter(({ deleted_at }) => deleted || deleted_at === null);
  const result: DescribedAccount[] = [];
  for (const account of accounts) result.push(await described(query, account, defaults));
  return result;
}

/** For the operator. */
export const describeAccount = async (
  query: Query,
  idOrName: string,
  defaults: Quota,
): Promise<DescribedAccount> => described(query, await accountNamed(query, idOrName), defaults);

/** The account of the caller. */
export async function describeOwnAccount(
  { database, settings }: Service,
  { accountId }: Actor,
): Promise<DescribedAccount> {
  const account = await findAccount(database.query, accountId);
  if (!account) throw new Error(`Account ${accountId} is not in the database.`);
  return described(database.query, account, settings.quota);
}
