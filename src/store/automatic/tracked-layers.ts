import type { Selectable } from 'kysely';
import type { TrackedLayerTable } from '../database/application-tables.ts';
import type { Query } from '../database/database.ts';

export type TrackedLayerRow = Selectable<TrackedLayerTable>;

/** Keeps what is known of a layer that was followed already. */
export async function saveTrackedLayers(
  query: Query,
  stackId: string,
  layers: readonly Pick<TrackedLayerRow, 'flag' | 'repository'>[],
): Promise<void> {
  for (const { flag, repository } of layers)
    await query
      .insertInto('tracked_layers')
      .values({
        stack_id: stackId,
        flag,
        repository,
        due_at: null,
        tried_digest: '',
        missed_tag: '',
        missed_digest: '',
        missed_at: null,
      })
      .onConflict((conflict) => conflict.columns(['stack_id', 'flag']).doUpdateSet({ repository }))
      .execute();
}

export const listFollowers = (query: Query, repository: string): Promise<TrackedLayerRow[]> =>
  query.selectFrom('tracked_layers').selectAll().where('repository', '=', repository).execute();

export const listTrackedLayers = (query: Query, stackId: string): Promise<TrackedLayerRow[]> =>
  query.selectFrom('tracked_layers').selectAll().where('stack_id', '=', stackId).execute();

export async function changeTrackedLayer(
  query: Query,
  { stack_id, flag }: Pick<TrackedLayerRow, 'stack_id' | 'flag'>,
  change: Partial<TrackedLayerRow>,
): Promise<void> {
  await query
    .updateTable('tracked_layers')
    .set(change)
    .where('stack_id', '=', stack_id)
    .where('flag', '=', flag)
    .execute();
}

/** Stacks with something to look at, the longest waiting first. */
export async function listDueStacks(query: Query, now: number, limit: number): Promise<string[]> {
  const rows = await query
    .selectFrom('tracked_layers')
    .select('stack_id')
    .where('due_at', '<=', now)
    .groupBy('stack_id')
    .orderBy((order) => order.fn.min('due_at'))
    .limit(limit)
    .execute();
  return rows.map(({ stack_id }) => stack_id);
}

/** Takes a stack until a time, after which it is due again: the server may stop in between. False: another server was first. */
export async function claimDue(
  query: Query,
  stackId: string,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const result = await query
    .updateTable('tracked_layers')
    .set({ due_at: until })
    .where('stack_id', '=', stackId)
    .where('due_at', '<=', now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends a claim. A push that arrived in between has made the layer due again, which stays. */
export async function endClaim(
  query: Query,
  stackId: string,
  { until, next }: { until: number; next: number | null },
): Promise<void> {
  await query
    .updateTable('tracked_layers')
    .set({ due_at: next })
    .where('stack_id', '=', stackId)
    .where('due_at', '=', until)
    .execute();
}
