import type { Query } from '../database/database.ts';
import type { StackRow } from '../stacks/stacks.ts';

/** Stacks of the account that are not deleted, oldest first. */
export const listLiveStacks = (
  query: Query,
  accountId: string,
): Promise<Pick<StackRow, 'id' | 'nickname' | 'status'>[]> =>
  query
    .selectFrom('stacks')
    .select(['id', 'nickname', 'status'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export async function listDeletedStackIds(query: Query, accountId: string): Promise<string[]> {
  const rows = await query
    .selectFrom('stacks')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

export async function countLiveStacks(query: Query, accountId: string): Promise<number> {
  const { count } = await query
    .selectFrom('stacks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function hasLiveStackNamed(query: Query, accountId: string, nickname: string): Promise<boolean> {
  const found = await query
    .selectFrom('stacks')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('nickname', '=', nickname)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export interface AccountUsage {
  stacks: number;
  /** Of the stack that has most. */
  versions: number;
  users: number;
  clients: number;
}

const countOf = async (query: Query, table: 'users' | 'api_clients', accountId: string): Promise<number> => {
  const { count } = await query
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
};

async function mostVersions(query: Query, accountId: string): Promise<number> {
  const row = await query
    .selectFrom('versions')
    .innerJoin('stacks', 'stacks.id', 'versions.stack_id')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('stacks.account_id', '=', accountId)
    .where('stacks.deleted_at', 'is', null)
    .groupBy('versions.stack_id')
    .orderBy('count', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.count ?? 0;
}

export const readUsage = async (query: Query, accountId: string): Promise<AccountUsage> => ({
  stacks: await countLiveStacks(query, accountId),
  versions: await mostVersions(query, accountId),
  users: await countOf(query, 'users', accountId),
  clients: await countOf(query, 'api_clients', accountId),
});
