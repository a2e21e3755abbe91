import type { Query } from '../database/database.ts';

/** Rows that count calls; the others are digests. */
const callPrefix = 'call ';

export interface Call {
  stackId: string;
  /** Unique. */
  id: string;
  /** Digests that a repeat has too. */
  deliveries: readonly string[];
  at: number;
}

export async function insertCall(query: Query, { stackId, id, deliveries, at }: Call): Promise<void> {
  const rows = [callPrefix + id, ...deliveries].map((delivery) => ({ stack_id: stackId, delivery, at }));
  await query.insertInto('hook_deliveries').values(rows).execute();
}

export async function hasDelivery(
  query: Query,
  stackId: string,
  deliveries: readonly string[],
): Promise<boolean> {
  if (deliveries.length === 0) return false;
  const row = await query
    .selectFrom('hook_deliveries')
    .select('at')
    .where('stack_id', '=', stackId)
    .where('delivery', 'in', deliveries)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes older calls, because they count no longer. */
export async function countCalls(query: Query, stackId: string, after: number): Promise<number> {
  await query
    .deleteFrom('hook_deliveries')
    .where('stack_id', '=', stackId)
    .where('at', '<=', after)
    .where('delivery', 'like', `${callPrefix}%`)
    .execute();
  const { count } = await query
    .selectFrom('hook_deliveries')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('stack_id', '=', stackId)
    .where('delivery', 'like', `${callPrefix}%`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What failed may be sent again. The call still counts for the limit. */
export async function forgetDeliveries(
  query: Query,
  stackId: string,
  deliveries: readonly string[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await query
    .deleteFrom('hook_deliveries')
    .where('stack_id', '=', stackId)
    .where('delivery', 'in', deliveries)
    .execute();
}

export async function deleteOldDeliveries(query: Query, stackId: string, before: number): Promise<void> {
  await query
    .deleteFrom('hook_deliveries')
    .where('stack_id', '=', stackId)
    .where('at', '<', before)
    .execute();
}
