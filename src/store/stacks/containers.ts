import type { Selectable } from 'kysely';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';
import type { ContainerTable } from '../database/tables.ts';

export type ContainerRow = Selectable<ContainerTable>;

type Key = Pick<ContainerRow, 'stack_id' | 'container_id'>;

const byKey = prebuilt((query, { stack_id, container_id }: Key) =>
  query
    .selectFrom('containers')
    .selectAll()
    .where('stack_id', '=', stack_id)
    .where('container_id', '=', container_id),
);

/** The last report of one stack about one container. */
export const findContainer = (
  query: Query,
  stackId: string,
  containerId: string,
): Promise<ContainerRow | undefined> => byKey.first(query, { stack_id: stackId, container_id: containerId });

const saving = prebuilt((query, row: ContainerRow) => {
  const key = { stack_id: row.stack_id, container_id: row.container_id, account_id: row.account_id };
  const report = {
    agent_id: row.agent_id,
    instance_id: row.instance_id,
    status: row.status,
    updated_at: row.updated_at,
  };
  return query
    .insertInto('containers')
    .values({ ...key, ...report })
    .onConflict((conflict) => conflict.columns(['stack_id', 'container_id']).doUpdateSet(report));
});

/** One row per container of a stack: the report that arrived last. */
export const saveContainer = async (query: Query, row: ContainerRow): Promise<void> => {
  await saving.change(query, row);
};

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
