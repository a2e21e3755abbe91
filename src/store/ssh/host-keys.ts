import type { Insertable } from 'kysely';
import type { Query } from '../database/database.ts';
import type { HostKeyTable } from '../database/ssh-tables.ts';

export async function findHostKey(query: Query, stackId: string, instanceId: string): Promise<string | null> {
  const row = await query
    .selectFrom('host_keys')
    .select('host_key')
    .where('stack_id', '=', stackId)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();
  return row?.host_key ?? null;
}

/** Keeps an existing key. False: there is one already. */
export async function saveHostKey(query: Query, key: Insertable<HostKeyTable>): Promise<boolean> {
  const result = await query
    .insertInto('host_keys')
    .values(key)
    .onConflict((conflict) => conflict.columns(['stack_id', 'instance_id']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** False: not found. */
export async function deleteHostKey(query: Query, stackId: string, instanceId: string): Promise<boolean> {
  const result = await query
    .deleteFrom('host_keys')
    .where('stack_id', '=', stackId)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
