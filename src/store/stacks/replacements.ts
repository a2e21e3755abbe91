import type { Selectable } from 'kysely';
import type { ReplacementTable } from '../database/application-tables.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';

/** An instance to replace. The row is deleted when the instance is gone. */
export type ReplacementRow = Selectable<ReplacementTable>;

/** Once per instance, however often it is called. True: this was the first time. */
export async function markForReplacement(
  query: Query,
  { stackId, instanceId, now }: { stackId: string; instanceId: string; now: number },
): Promise<boolean> {
  const result = await query
    .insertInto('replacements')
    .values({ stack_id: stackId, instance_id: instanceId, noticed_at: now, asked_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const ofStack = prebuilt((query, { stackId }: { stackId: string }) =>
  query
    .selectFrom('replacements')
    .selectAll()
    .where('stack_id', '=', stackId)
    .orderBy('noticed_at')
    .orderBy('instance_id'),
);

export const listReplacements = (query: Query, stackId: string): Promise<ReplacementRow[]> =>
  ofStack.all(query, { stackId });

export async function markReplacementsRequested(
  query: Query,
  { stackId, instanceIds, now }: { stackId: string; instanceIds: readonly string[]; now: number },
): Promise<void> {
  if (instanceIds.length === 0) return;
  await query
    .updateTable('replacements')
    .set({ asked_at: now })
    .where('stack_id', '=', stackId)
    .where('instance_id', 'in', instanceIds)
    .execute();
}

/** For a deleted stack, whose instances are all gone. */
export const deleteReplacementsOf = async (query: Query, stackId: string): Promise<void> => {
  await query.deleteFrom('replacements').where('stack_id', '=', stackId).execute();
};

export async function deleteReplacements(
  query: Query,
  stackId: string,
  instanceIds: readonly string[],
): Promise<void> {
  if (instanceIds.length === 0) return;
  await query
    .deleteFrom('replacements')
    .where('stack_id', '=', stackId)
    .where('instance_id', 'in', instanceIds)
    .execute();
}
