import type { Query } from '../database/database.ts';
import { parseColumn } from '../database/json-column.ts';

export interface KeptAnswer {
  fingerprint: string;
  result: unknown;
}

export async function findKeptAnswer(
  query: Query,
  accountId: string,
  key: string,
): Promise<KeptAnswer | undefined> {
  const row = await query
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'result'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row && { ...row, result: parseColumn(row.result, `idempotency_keys.result of ${key}`) };
}

/** False when the key was taken meanwhile. */
export async function keepAnswer(
  query: Query,
  accountId: string,
  key: string,
  answer: KeptAnswer & { now: number },
): Promise<boolean> {
  const rows = await query
    .insertInto('idempotency_keys')
    .values({
      account_id: accountId,
      key,
      fingerprint: answer.fingerprint,
      result: JSON.stringify(answer.result),
      created_at: answer.now,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .returning('key')
    .execute();
  return rows.length > 0;
}

export const deleteOldAnswers = async (query: Query, before: number): Promise<void> => {
  await query.deleteFrom('idempotency_keys').where('created_at', '<', before).execute();
};
