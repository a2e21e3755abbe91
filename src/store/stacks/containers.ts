import { type Selectable, sql } from 'kysely';
import { padded } from '../database/built/binary-parts.ts';
import { RowInserter } from '../database/built/row-inserter.ts';
import type { Query } from '../database/database.ts';
import type { ContainerTable } from '../database/tables.ts';

export type ContainerRow = Selectable<ContainerTable>;

export type ContainerKey = Pick<ContainerRow, 'stack_id' | 'container_id'>;

/** The last reports about some containers; those that have not reported yet are not found. */
export async function findContainers(query: Query, keys: readonly ContainerKey[]): Promise<ContainerRow[]> {
  const wanted = padded(keys, { stack_id: '', container_id: '' });
  if (wanted.length === 0) return [];
  const values = wanted.map((key) => sql`(${key.stack_id}, ${key.container_id})`);
  return query
    .selectFrom('containers')
    .selectAll()
    .where(sql<boolean>`(stack_id, container_id) in (values ${sql.join(values)})`)
    .execute();
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
