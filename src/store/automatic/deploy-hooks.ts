import type { Selectable } from 'kysely';
import type { DeployHookTable } from '../database/application-tables.ts';
import type { Query } from '../database/database.ts';

export type DeployHookRow = Selectable<DeployHookTable>;

export const findHook = (query: Query, id: string): Promise<DeployHookRow | undefined> =>
  query.selectFrom('deploy_hooks').selectAll().where('id', '=', id).executeTakeFirst();

export const findHookOfStack = (query: Query, stackId: string): Promise<DeployHookRow | undefined> =>
  query.selectFrom('deploy_hooks').selectAll().where('stack_id', '=', stackId).executeTakeFirst();

/** Replaces the one of the stack, except its id: forges keep their address. */
export async function saveHook(query: Query, hook: DeployHookRow): Promise<void> {
  const { id: _, stack_id: __, ...rest } = hook;
  await query
    .insertInto('deploy_hooks')
    .values(hook)
    .onConflict((conflict) => conflict.column('stack_id').doUpdateSet(rest))
    .execute();
}

/** False: there was none. */
export async function deleteHook(query: Query, stackId: string): Promise<boolean> {
  const result = await query.deleteFrom('deploy_hooks').where('stack_id', '=', stackId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function noteHookUse(
  query: Query,
  id: string,
  { now, result }: { now: number; result: string },
): Promise<void> {
  await query
    .updateTable('deploy_hooks')
    .set({ last_used_at: now, last_result: result })
    .where('id', '=', id)
    .execute();
}
