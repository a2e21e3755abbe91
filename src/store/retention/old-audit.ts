import type { AuditRow } from '../access/audit.ts';
import type { Query } from '../database/database.ts';

/** Oldest first, starting after the given number. */
export const listAuditTimes = (
  query: Query,
  accountId: string,
  { after, limit }: { after: number; limit: number },
): Promise<Pick<AuditRow, 'number' | 'at'>[]> =>
  query
    .selectFrom('audit')
    .select(['number', 'at'])
    .where('account_id', '=', accountId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();

/** Undefined: it was deleted. */
export const findAuditHash = (
  query: Query,
  accountId: string,
  number: number,
): Promise<Pick<AuditRow, 'number' | 'hash'> | undefined> =>
  query
    .selectFrom('audit')
    .select(['number', 'hash'])
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .executeTakeFirst();

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
