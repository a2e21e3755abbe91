import type { Clock } from '../../basics/clock.ts';
import { type AuditRow, existingAccounts, findLastAudit, insertAudit } from '../../store/access/audit.ts';
import type { Database, Query } from '../../store/database/database.ts';
import { appendToChain } from './audit-chain.ts';
import { findOwners } from './stack-owners.ts';

export interface PendingEntry extends Omit<AuditRow, 'number' | 'hash' | 'owner'> {
  stackId: string | null;
}

export interface Store {
  database: Database;
  clock: Clock;
}

interface AccountEntries {
  accountId: string;
  pending: readonly PendingEntry[];
}

async function writeAccount(store: Store, query: Query, { accountId, pending }: AccountEntries) {
  const stackIds = new Set(pending.flatMap(({ stackId }) => stackId ?? []));
  const owners = await findOwners(store.database, query, { accountId, stackIds: [...stackIds] });
  // Concurrent writers, on any server, continue the numbering after these entries. Held for as few statements as possible.
  await store.database.lock(query, `audit ${accountId}`);
  const entries = pending.map(({ stackId, ...entry }) => ({
    ...entry,
    owner: owners.get(stackId ?? '') ?? '',
  }));
  await insertAudit(query, appendToChain(await findLastAudit(query, accountId), entries));
}

/** One transaction that locks accounts in sorted order, so that two servers cannot deadlock. */
export const writeEntries = (store: Store, entries: readonly PendingEntry[]): Promise<void> =>
  store.database.transaction(async (query) => {
    const accountIds = [...new Set(entries.map((entry) => entry.account_id))].toSorted();
    const existing = await existingAccounts(query, accountIds);
    for (const accountId of accountIds.filter((id) => existing.has(id))) {
      const pending = entries.filter((entry) => entry.account_id === accountId);
      await writeAccount(store, query, { accountId, pending });
    }
  });

/** An entry that no call of a known actor made: what it leaves open has these values. */
const noCall = {
  decision: 'allowed',
  status: 200,
  address: '',
  request_id: '',
  detail: null,
  token: null,
  client_id: null,
  client_kind: null,
  stackId: null,
} as const;

type OtherEntry = Pick<
  PendingEntry,
  'account_id' | 'actor_kind' | 'actor' | 'action' | 'resource' | 'route'
> &
  Partial<PendingEntry>;

/** Records in the transaction of the change itself. */
export const recordIn = (store: Store, query: Query, entry: OtherEntry): Promise<void> =>
  writeAccount(store, query, {
    accountId: entry.account_id,
    pending: [{ ...noCall, at: store.clock.now(), ...entry }],
  });

/** Stored when the promise settles; an account that does not exist is ignored. */
export const recordOther = (store: Store, entry: OtherEntry): Promise<void> =>
  writeEntries(store, [{ ...noCall, at: store.clock.now(), ...entry }]);

/** Records a command that the operator runs on the server, in the transaction of its changes. */
export const recordByOperator = (
  store: Store,
  query: Query,
  { accountId, command, detail }: { accountId: string; command: string; detail: string },
): Promise<void> =>
  recordIn(store, query, {
    account_id: accountId,
    actor_kind: 'operator',
    actor: 'operator',
    action: 'operator',
    resource: `account ${accountId}`,
    route: command,
    detail,
  });
