import type { Selectable } from 'kysely';
import type { AuditTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';

export type AuditRow = Selectable<AuditTable>;

/** The end of an account's chain; nothing when it has no entries. */
export const findLastAudit = (
  query: Query,
  accountId: string,
): Promise<Pick<AuditRow, 'number' | 'hash'> | undefined> =>
  query
    .selectFrom('audit')
    .select(['number', 'hash'])
    .where('account_id', '=', accountId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();

export const insertAudit = async (query: Query, rows: readonly AuditRow[]): Promise<void> => {
  await query.insertInto('audit').values(rows).execute();
};

/** Of the given accounts those that exist: a restored backup may know fewer. */
export async function existingAccounts(query: Query, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query.selectFrom('accounts').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Who made which of the account's stacks, deleted ones included. */
export async function ownersOfStacks(
  query: Query,
  accountId: string,
  stackIds: readonly string[],
): Promise<Map<string, string>> {
  if (stackIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('stacks')
    .select(['id', 'created_by'])
    .where('account_id', '=', accountId)
    .where('id', 'in', stackIds)
    .execute();
  return new Map(rows.map(({ id, created_by }) => [id, created_by]));
}

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  resource?: string | undefined;
  decision?: AuditRow['decision'] | undefined;
  /** From this time on, until just before that one. */
  from?: number | undefined;
  to?: number | undefined;
}

export interface AuditRange {
  order: 'newest first' | 'oldest first';
  /** Continue after the entry of this number, in the given order. */
  after?: number | undefined;
  limit: number;
}

const exactNames = ['actor', 'action', 'resource', 'decision'] as const;

export function listAudit(
  query: Query,
  accountId: string,
  filter: AuditFilter,
  range: AuditRange,
): Promise<AuditRow[]> {
  const newestFirst = range.order === 'newest first';
  let found = query.selectFrom('audit').selectAll().where('account_id', '=', accountId);
  for (const name of exactNames) {
    const wanted = filter[name];
    if (wanted !== undefined) found = found.where(name, '=', wanted);
  }
  if (filter.from !== undefined) found = found.where('at', '>=', filter.from);
  if (filter.to !== undefined) found = found.where('at', '<', filter.to);
  if (range.after !== undefined) found = found.where('number', newestFirst ? '<' : '>', range.after);
  return found
    .orderBy('number', newestFirst ? 'desc' : 'asc')
    .limit(range.limit)
    .execute();
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
