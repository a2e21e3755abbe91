import type { Selectable } from 'kysely';
import type { AppInstanceTable } from '../database/application-tables.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';

/** What one instance runs, by its last report. */
export type AppInstanceRow = Selectable<AppInstanceTable>;

const ofStack = prebuilt((query, { stackId }: { stackId: string }) =>
  query.selectFrom('app_instances').selectAll().where('stack_id', '=', stackId).orderBy('instance_id'),
);

export const listAppInstances = (query: Query, stackId: string): Promise<AppInstanceRow[]> =>
  ofStack.all(query, { stackId });

export const findAppInstance = (
  query: Query,
  stackId: string,
  instanceId: string,
): Promise<AppInstanceRow | undefined> =>
  query
    .selectFrom('app_instances')
    .selectAll()
    .where('stack_id', '=', stackId)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();

/** The report that arrived last counts. */
export async function saveAppInstance(query: Query, row: AppInstanceRow): Promise<void> {
  const { stack_id: _, instance_id: __, ...report } = row;
  await query
    .insertInto('app_instances')
    .values(row)
    .onConflict((conflict) => conflict.columns(['stack_id', 'instance_id']).doUpdateSet(report))
    .execute();
}

/** Instances that no longer exist. */
export async function deleteAppInstances(
  query: Query,
  stackId: string,
  gone: readonly string[],
): Promise<void> {
  if (gone.length === 0) return;
  await query
    .deleteFrom('app_instances')
    .where('stack_id', '=', stackId)
    .where('instance_id', 'in', gone)
    .execute();
}
