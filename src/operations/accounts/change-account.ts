import type { Quota } from '../../model/quota.ts';
import { type AccountRow, changeAccount } from '../../store/access/account-rows.ts';
import type { Query } from '../../store/database/database.ts';
import { recordByOperator } from '../audit/write-entries.ts';
import type { Service } from '../service.ts';
import { accountNamed } from './find-account.ts';

export type AccountStore = Pick<Service, 'database' | 'clock'>;

interface Change {
  command: string;
  /** What the audit log says. */
  detail: string;
  changes: Parameters<typeof changeAccount>[2];
}

/** Holds the locks of sign-in and of new stacks, so that neither happens halfway. */
export async function lockAccount(
  { database }: AccountStore,
  query: Query,
  accountId: string,
): Promise<void> {
  await database.lock(query, `access of ${accountId}`);
  await database.lock(query, `stacks of ${accountId}`);
}

/** Returns the account before the change. */
const change = (
  store: AccountStore,
  idOrName: string,
  changeOf: (account: AccountRow) => Change | null,
): Promise<AccountRow> =>
  store.database.transaction(async (query) => {
    const { id: accountId } = await accountNamed(query, idOrName);
    await lockAccount(store, query, accountId);
    const account = await accountNamed(query, accountId);
    const wanted = changeOf(account);
    if (!wanted) return account;
    const { command, detail, changes } = wanted;
    await changeAccount(query, accountId, changes);
    await recordByOperator(store, query, { accountId, command, detail });
    return account;
  });

/** Ends the access of all users and API clients. Stacks and their agents are not touched. */
export const suspendAccount = (store: AccountStore, idOrName: string): Promise<AccountRow> =>
  change(store, idOrName, ({ suspended_at }) =>
    suspended_at === null
      ? {
          command: 'account suspend',
          detail: 'suspended the account',
          changes: { suspended_at: store.clock.now() },
        }
      : null,
  );

/** Restores the access as it was: tokens that have not expired are valid again. */
export const resumeAccount = (store: AccountStore, idOrName: string): Promise<AccountRow> =>
  change(store, idOrName, ({ suspended_at }) =>
    suspended_at === null
      ? null
      : { command: 'account resume', detail: 'resumed the account', changes: { suspended_at: null } },
  );

/** Null: the default of the server. */
export type QuotaChange = Partial<Record<keyof Quota, number | null>>;

const columns = {
  stacks: 'max_stacks',
  versions: 'max_versions',
  streams: 'max_streams',
  requests: 'max_requests',
} as const satisfies Record<keyof Quota, keyof AccountRow>;

const quotaNames = Object.keys(columns) as (keyof Quota)[];

/** Running servers apply the new quota within seconds. */
export const setQuota = (store: AccountStore, idOrName: string, quota: QuotaChange): Promise<AccountRow> =>
  change(store, idOrName, () => {
    const set = quotaNames.filter((name) => quota[name] !== undefined);
    const detail = `set the quota: ${set.map((name) => `${name} ${quota[name] ?? 'default'}`).join(', ')}`;
    const changes = Object.fromEntries(set.map((name) => [columns[name], quota[name]]));
    return set.length === 0 ? null : { command: 'account quota', detail, changes };
  });
