import type { Selectable } from 'kysely';
import type { Query } from '../database/database.ts';
import type { ContainerTable } from '../database/tables.ts';

export type ContainerRow = Selectable<ContainerTable>;

/** The last report of one stack about one container. */
export const findContainer = (
  query: Query,
  stackId: string,
  containerId: string,
): Promise<ContainerRow | undefined> =>
  query
    .selectFrom('containers')
    .selectAll()
    .where('stack_id', '=', stackId)
    .where('container_id', '=', containerId)
    .executeTakeFirst();

/** One row per container of a stack: the report that arrived last. */
export async function saveContainer(query: Query, row: ContainerRow): Promise<void> {
  const { stack_id: _, container_id: __, ...report } = row;
  await query
    .insertInto('containers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['stack_id', 'container_id']).doUpdateSet(report))
    .execute();
}

export type ContainerFilter = { containerId: string } | { stackId: string } | { instanceId: string };

/** Only containers of the account, of stacks that are not deleted; the latest report first. */
export function listContainers(
  query: Query,
  accountId: string,
  filter: ContainerFilter,
): Promise<ContainerRow[]> {
  const containers = query
    .selectFrom('containers')
    .innerJoin('stacks', 'stacks.id', 'containers.stack_id')
    .selectAll('containers')
    .where('containers.account_id', '=', accountId)
    .where('stacks.deleted_at', 'is', null)
    .orderBy('containers.updated_at', 'desc')
    .orderBy('containers.stack_id')
    .orderBy('containers.container_id');
  if ('containerId' in filter) return containers.where('container_id', '=', filter.containerId).execute();
  if ('stackId' in filter) return containers.where('stack_id', '=', filter.stackId).execute();
  return containers.where('instance_id', '=', filter.instanceId).execute();
}
