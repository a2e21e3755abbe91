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
    .selectFrom('stacks')
    .innerJoin('app_instances', 'app_instances.stack_id', 'stacks.id')
    .innerJoin('agents', (join) =>
      join
        .onRef('agents.stack_id', '=', 'app_instances.stack_id')
        .onRef('agents.instance_id', '=', 'app_instances.instance_id'),
    )
    .select('stacks.id')
    .distinct()
    .where('stacks.health', 'in', ['serving', 'degraded', 'down'])
    .where('stacks.deleted_at', 'is', null)
    .where('app_instances.every_seconds', '>', 0)
    .where((where) =>
      where(
        'agents.updated_at',
        '<',
        where(where.val(now), '-', where('app_instances.every_seconds', '*', 3000)),
      ),
    )
    .limit(1000)
    .execute();
  return rows.map(({ id }) => id);
}

/** What writes about the application of a stack takes its row first, as passes do: otherwise two of them could wait for each other. */
export const lockStackRow = async (query: Query, id: string): Promise<void> => {
  await query
    .updateTable('stacks')
    .set((row) => ({ epoch: row.ref('epoch') }))
    .where('id', '=', id)
    .execute();
};
