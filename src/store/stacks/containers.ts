import { type Selectable, sql } from 'kysely';
import type { ContainerTable } from '../database/application-tables.ts';
import { prebuiltList } from '../database/built/prebuilt-list.ts';
import { RowInserter } from '../database/built/row-inserter.ts';
import type { Query } from '../database/database.ts';

export type ContainerRow = Selectable<ContainerTable>;

export type ContainerKey = Pick<ContainerRow, 'stack_id' | 'container_id'>;

/** The list has the two parts of each key in turn. */
const withKeys = prebuiltList((query, _: object, parts) => {
  const keys = parts.flatMap((part, index) => (index % 2 === 0 ? [sql`(${part}, ${parts[index + 1]})`] : []));
  return query
    .selectFrom('containers')
    .selectAll()
    .where(sql<boolean>`(stack_id, container_id) in (values ${sql.join(keys)})`);
});

/** The last reports about some containers; those that have not reported yet are not found. */
export async function findContainers(query: Query, keys: readonly ContainerKey[]): Promise<ContainerRow[]> {
  if (keys.length === 0) return [];
  const parts = keys.flatMap(({ stack_id, container_id }) => [stack_id, container_id]);
  return withKeys.all(query, {}, parts);
}

const columns: Readonly<Record<keyof ContainerRow, true>> = {
  stack_id: true,
  container_id: true,
  account_id: true,
  agent_id: true,
  instance_id: true,
  status: true,
  updated_at: true,
};

const inserter = new RowInserter('containers', Object.keys(columns) as (keyof ContainerRow)[], [
  'stack_id',
  'container_id',
]);

/** One row per container of a stack: the report that arrived last. */
export const saveContainers = (query: Query, rows: readonly ContainerRow[]): Promise<void> =>
  inserter.insert(query, rows);

/** The latest report first. */
export const listContainersOf = (query: Query, stackId: string): Promise<ContainerRow[]> =>
  query
    .selectFrom('containers')
    .selectAll()
    .where('stack_id', '=', stackId)
    .orderBy('updated_at', 'desc')
    .execute();

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
