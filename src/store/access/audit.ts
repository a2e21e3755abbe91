import { type Selectable, sql } from 'kysely';
import type { AuditTable } from '../database/access-tables.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import { prebuiltList } from '../database/built/prebuilt-list.ts';
import { RowInserter } from '../database/built/row-inserter.ts';
import type { Query } from '../database/database.ts';

export type AuditRow = Selectable<AuditTable>;

const lastOf = prebuilt((query, { accountId }: { accountId: string }) =>
  query
    .selectFrom('audit')
    .select(['number', 'hash'])
    .where('account_id', '=', accountId)
    .orderBy('number', 'desc')
    .limit(1),
);

/** The end of the chain of an account; undefined: it has no entries. */
export const findLastAudit = (
  query: Query,
  accountId: string,
): Promise<Pick<AuditRow, 'number' | 'hash'> | undefined> => lastOf.first(query, { accountId });

const columns: Readonly<Record<keyof AuditRow, true>> = {
  account_id: true,
  number: true,
  at: true,
  actor_kind: true,
  actor: true,
  client_id: true,
  client_kind: true,
  action: true,
  resource: true,
  owner: true,
  decision: true,
  route: true,
  status: true,
  address: true,
  request_id: true,
  detail: true,
  token: true,
  hash: true,
};

const inserter = new RowInserter('audit', Object.keys(columns) as (keyof AuditRow)[]);

/** Every read of every caller is an entry: the most frequent write of all. */
export const insertAudit = (query: Query, rows: readonly AuditRow[]): Promise<void> =>
  inserter.insert(query, rows);

const accountsWith = prebuiltList((query, _: object, ids) =>
  query.selectFrom('accounts').select('id').where('id', 'in', ids),
);

/** The given accounts that exist: a restored backup may have fewer. */
export async function existingAccounts(query: Query, ids: readonly string[]): Promise<Set<string>> {
  const rows = await accountsWith.all(query, {}, ids);
  return new Set(rows.map(({ id }) => id));
}

/** Of accounts that are not deleted. */
export const listAccountIds = async (query: Query): Promise<string[]> => {
  const rows = await query.selectFrom('accounts').select('id').where('deleted_at', 'is', null).execute();
  return rows.map(({ id }) => id);
};

/** By id alone: with the account as well, SQLite would read all stacks of the account. */
export const ownersByStack = (query: Query, stackIds: readonly string[]) =>
  query.selectFrom('stacks').select(['id', 'account_id', 'created_by']).where('id', 'in', stackIds);

const owners = prebuiltList((query, _: object, stackIds) => ownersByStack(query, stackIds));

/** The owners of stacks of the account by stack id, deleted stacks included. */
export async function ownersOfStacks(
  query: Query,
  accountId: string,
  stackIds: readonly string[],
): Promise<Map<string, string>> {
  if (stackIds.length === 0) return new Map();
  const rows = await owners.all(query, {}, stackIds);
  const own = rows.filter((row) => row.account_id === accountId);
  return new Map(own.map(({ id, created_by }) => [id, created_by]));
}

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  resource?: string | undefined;
  decision?: AuditRow['decision'] | undefined;
  /** Half-open: from this time, up to but not including `to`. */
  from?: number | undefined;
  to?: number | undefined;
}

export interface AuditQuery extends AuditFilter {
  order: 'newest first' | 'oldest first';
  /** Continue after the entry with this number, in the given order. */
  after?: number | undefined;
  limit: number;
}

const exactNames = ['actor', 'action', 'resource'] as const;

/** Literals, not parameters: only then is the index of denied requests used. */
const hasDecision = {
  denied: sql<boolean>`decision = 'denied'`,
  allowed: sql<boolean>`decision = 'allowed'`,
};

export const listAudit = (query: Query, accountId: string, wanted: AuditQuery): Promise<AuditRow[]> =>
  matchingAudit(query, accountId, wanted).execute();

export function matchingAudit(query: Query, accountId: string, wanted: AuditQuery) {
  const newestFirst = wanted.order === 'newest first';
  let found = query.selectFrom('audit').selectAll().where('account_id', '=', accountId);
  for (const name of exactNames) {
    const value = wanted[name];
    if (value !== undefined) found = found.where(name, '=', value);
  }
  if (wanted.decision !== undefined) found = found.where(hasDecision[wanted.decision]);
  if (wanted.from !== undefined) found = found.where('at', '>=', wanted.from);
  if (wanted.to !== undefined) found = found.where('at', '<', wanted.to);
  if (wanted.after !== undefined) found = found.where('number', newestFirst ? '<' : '>', wanted.after);
  return found.orderBy('number', newestFirst ? 'desc' : 'asc').limit(wanted.limit);
}

/** Every account: a cheap list even if the log is long. */
export async function accountsToAudit(query: Query): Promise<string[]> {
  const rows = await query.selectFrom('accounts').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Every account that has entries. */
export async function auditedAccounts(query: Query): Promise<string[]> {
  const rows = await query
    .selectFrom('audit')
    .select('account_id')
    .distinct()
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
}
