import type { HookDeliveryTable } from '../database/application-tables.ts';
import type { Query } from '../database/database.ts';

/** False: it is there already. */
export async function insertDelivery(query: Query, delivery: HookDeliveryTable): Promise<boolean> {
  const result = await query
    .insertInto('hook_deliveries')
    .values(delivery)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function hasDelivery(query: Query, stackId: string, delivery: string): Promise<boolean> {
  const row = await query
    .selectFrom('hook_deliveries')
    .select('at')
    .where('stack_id', '=', stackId)
    .where('delivery', '=', delivery)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countDeliveries(query: Query, stackId: string, after: number): Promise<number> {
  const { count } = await query
    .selectFrom('hook_deliveries')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('stack_id', '=', stackId)
    .where('at', '>', after)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A failed delivery may be sent again, but it counts for the limit. */
export async function renameDelivery(
  query: Query,
  stackId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await query
    .updateTable('hook_deliveries')
    .set({ delivery: to })
    .where('stack_id', '=', stackId)
    .where('delivery', '=', from)
    .execute();
}

export async function deleteOldDeliveries(query: Query, stackId: string, before: number): Promise<void> {
  await query
    .deleteFrom('hook_deliveries')
    .where('stack_id', '=', stackId)
    .where('at', '<', before)
    .execute();
}
