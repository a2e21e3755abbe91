import type { Health } from '../../model/rollout.ts';
import type { Query } from '../database/database.ts';

interface NewHealth {
  health: Health;
  reason: string;
  now: number;
}

export async function saveHealth(
  query: Query,
  id: string,
  { health, reason, now }: NewHealth,
): Promise<void> {
  await query
    .updateTable('stacks')
    .set({ health, health_reason: reason, changed_at: now })
    .where('id', '=', id)
    .execute();
}

/** Number of stacks per health, over all accounts: for the metrics. */
export const countStacksByHealth = (query: Query): Promise<{ health: Health; count: number }[]> =>
  query
    .selectFrom('stacks')
    .select((select) => ['health', select.fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .groupBy('health')
    .execute();

/** Stacks with an instance whose last report is so old that it may be silent, and that are not known to be. */
export async function listSilentStacks(query: Query, now: number): Promise<string[]> {
  const rows = await query
    .selectFrom('app_instances')
    .innerJoin('stacks', 'stacks.id', 'app_instances.stack_id')
    .select('app_instances.stack_id')
    .distinct()
    .where('app_instances.every_seconds', '>', 0)
    .where((where) => where('reported_at', '<', where.val(now)))
    .where((where) =>
      where('app_instances.reported_at', '<', where(where.val(now), '-', where('every_seconds', '*', 3000))),
    )
    .where('stacks.health', 'in', ['serving', 'degraded', 'down'])
    .where('stacks.deleted_at', 'is', null)
    .execute();
  return rows.map(({ stack_id }) => stack_id);
}
