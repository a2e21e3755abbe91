import type { Query } from '../database/database.ts';

export interface KeptAnswer {
  fingerprint: string;
  result: string;
}

export const findKeptAnswer = (
  query: Query,
  accountId: string,
  key: string,
): Promise<KeptAnswer | undefined> =>
  query
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'result'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();

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
      result: answer.result,
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
