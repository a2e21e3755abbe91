import type { AuditRow } from '../access/audit.ts';
import type { Query } from '../database/database.ts';

/** The last entry before the first one of a time or later: clocks of servers differ. Undefined: there is none. */
export async function findLastAuditBefore(
  query: Query,
  accountId: string,
  time: number,
): Promise<Pick<AuditRow, 'number' | 'hash'> | undefined> {
  const { number } = await query
    .selectFrom('audit')
    .select((select) => select.fn.min('number').as('number'))
    .where('account_id', '=', accountId)
    .where('at', '>=', time)
    .executeTakeFirstOrThrow();
  let older = query.selectFrom('audit').select(['number', 'hash']).where('account_id', '=', accountId);
  if (number !== null) older = older.where('number', '<', number);
  return older.orderBy('number', 'desc').limit(1).executeTakeFirst();
}

export async function findFirstAudit(query: Query, accountId: string): Promise<number | undefined> {
  const row = await query
    .selectFrom('audit')
    .select('number')
    .where('account_id', '=', accountId)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  return row?.number;
}

export const deleteAuditUpTo = (query: Query, accountId: string, number: number) =>
  query.deleteFrom('audit').where('account_id', '=', accountId).where('number', '<=', number).execute();
