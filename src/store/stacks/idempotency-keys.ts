import type { Query } from '../database/database.ts';
import { JsonColumn } from '../database/json-column.ts';

interface StoredResponse {
  fingerprint: string;
  result: unknown;
}

const resultColumn = new JsonColumn<unknown>('idempotency_keys.result');

export async function findStoredResponse(
  query: Query,
  accountId: string,
  key: string,
): Promise<StoredResponse | undefined> {
  const row = await query
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'result'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row && { ...row, result: resultColumn.parse(row.result, key) };
}

/** False: another request has used the key since. */
export async function storeResponse(
  query: Query,
  { accountId, key }: { accountId: string; key: string },
  { fingerprint, result, now }: StoredResponse & { now: number },
): Promise<boolean> {
  const rows = await query
    .insertInto('idempotency_keys')
    .values({
      account_id: accountId,
      key,
      fingerprint,
      result: resultColumn.format(result),
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .returning('key')
    .execute();
  return rows.length > 0;
}

export const deleteOldResponses = async (query: Query, before: number): Promise<void> => {
  await query.deleteFrom('idempotency_keys').where('created_at', '<', before).execute();
};
