import type { AuditRow } from '../access/audit.ts';
import type { Query } from '../database/database.ts';

/** The last entry from before a time; undefined: there is none. */
export async function findLastAuditBefore(
  query: Query,
  accountId: string,
  time: number,
): Promise<Pick<AuditRow, 'number' | 'hash'> | undefined> {
  const { number } = await query
    .selectFrom('audit')
    .select((select) => select.fn.max('number').as('number'))
    .where('account_id', '=', accountId)
    .where('at', '<', time)
    .executeTakeFirstOrThrow();
  if (number === null) return undefined;
  return query
    .selectFrom('audit')
    .select(['number', 'hash'])
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .executeTakeFirst();
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
