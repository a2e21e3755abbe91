import type { Operation } from '../../model/status.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';
import type { StackRow } from './stacks.ts';

type Ended = Pick<StackRow, 'id' | 'account_id' | 'vendor' | 'credential_id' | 'operation'> & {
  endedAt: number;
  milliseconds: number;
};

const inserting = prebuilt((query, stack: Ended) =>
  query
    .insertInto('durations')
    .values((row) => ({
      stack_id: stack.id,
      ended_at: stack.endedAt,
      driver: row
        .selectFrom('credentials')
        .select('driver')
        .where('account_id', '=', stack.account_id)
        .where('vendor', '=', stack.vendor)
        .where('id', '=', stack.credential_id),
      operation: stack.operation,
      milliseconds: stack.milliseconds,
    }))
    .onConflict((conflict) => conflict.columns(['stack_id', 'ended_at']).doNothing()),
);

/** Records the time from the request of an operation to its completion. */
export async function insertDuration(query: Query, stack: StackRow, endedAt: number): Promise<void> {
  const { id, account_id, vendor, credential_id, operation } = stack;
  // The stack's last change of status was the request itself.
  const milliseconds = endedAt - stack.updated_at;
  await inserting.change(query, {
    id,
    account_id,
    vendor,
    credential_id,
    operation,
    endedAt,
    milliseconds,
  });
}

/** Newest first, of this account only: durations of other accounts are private. */
export async function recentDurations(
  query: Query,
  kind: { accountId: string; driver: string; operation: Operation; limit: number },
): Promise<number[]> {
  const rows = await query
    .selectFrom('durations')
    .innerJoin('stacks', 'stacks.id', 'durations.stack_id')
    .select('durations.milliseconds')
    .where('stacks.account_id', '=', kind.accountId)
    .where('durations.driver', '=', kind.driver)
    .where('durations.operation', '=', kind.operation)
    .orderBy('durations.ended_at', 'desc')
    .limit(kind.limit)
    .execute();
  return rows.map((row) => row.milliseconds);
}
